import { traceAgent } from '@stepfork/recorder';
import { assess } from './assess.js';
import { type Health, recentDeployments, runbook, serviceHealth } from './operations.js';

export interface Alert {
  readonly service: string;
  readonly message: string;
}

/** Judges an alert: how bad it is, and whether somebody is to be woken. */
export const incidentTriage = traceAgent('incident-triage', async (alert: Alert) => {
  const own = await serviceHealth(alert.service);
  const health: Health[] = [own];
  for (const service of own.depends_on) health.push(await serviceHealth(service));
  const deployments = [];
  for (const { service } of health) deployments.push({ service, recent: await recentDeployments(service, 60) });
  const handbook = await runbook(alert.service);
  const assessment = await assess({ alert, health, deployments, handbook });
  // Nobody is woken for a service that limps.
  const isDown = health.some(({ status }) => status === 'down');
  return {
    service: alert.service,
    severity: isDown ? assessment.severity : 'sev3',
    escalation_required: isDown && assessment.escalation_required,
    suspect: assessment.suspect,
  };
});
