import { appendFileSync } from 'node:fs';
import { traceTool } from '@stepfork/recorder';

export interface Health {
  readonly service: string;
  readonly status: 'healthy' | 'degraded' | 'down';
  readonly error_rate: number;
  readonly depends_on: readonly string[];
}

export interface Deployment {
  readonly version: string;
  readonly minutes_ago: number;
}

const HEALTH: Readonly<Record<string, Omit<Health, 'service'>>> = {
  checkout: { status: 'degraded', error_rate: 0.38, depends_on: ['payments'] },
  payments: { status: 'down', error_rate: 0.97, depends_on: [] },
};
const DEPLOYMENTS: Readonly<Record<string, readonly Deployment[]>> = {
  payments: [
    { version: '4.12.0', minutes_ago: 18 },
    { version: '4.11.3', minutes_ago: 95 },
  ],
};

/** Asks the monitoring. A stand-in answers here, and notes in its log that it was asked. */
export const serviceHealth = traceTool(
  { name: 'service_health', params: ['service'] },
  async (service: string): Promise<Health> => {
    appendFileSync('services.log', `GET /health/${service}\n`);
    return { service, ...(HEALTH[service] ?? { status: 'healthy', error_rate: 0, depends_on: [] }) };
  },
);

/** Asks the delivery pipeline; likewise a stand-in. */
export const recentDeployments = traceTool(
  { name: 'recent_deployments', params: ['service', 'window_minutes'] },
  async (service: string, windowMinutes: number): Promise<readonly Deployment[]> => {
    appendFileSync('services.log', `GET /deployments/${service}?minutes=${windowMinutes}\n`);
    return (DEPLOYMENTS[service] ?? []).filter(({ minutes_ago }) => minutes_ago <= windowMinutes);
  },
);

/** Reads the handbook; likewise a stand-in. */
export const runbook = traceTool({ name: 'runbook', params: ['service'] }, async (service: string): Promise<string> => {
  appendFileSync('services.log', `GET /runbooks/${service}\n`);
  return 'If a service that it depends on is down, the incident is sev1: wake the owner of that service.';
});
