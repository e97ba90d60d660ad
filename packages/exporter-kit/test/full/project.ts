import type { TestOutcome } from '@stepfork/exporter-kit/conformance';
import { onTestFinished } from 'vitest';
import { worldOf } from '../consumer/conformance-world.js';
import { type ConsumerProject, createProject } from '../consumer/consumer-project.js';

const projects = new Map<string, ConsumerProject>();

/** A folder in which vitest and the packages of Stepfork are found. */
export async function emptyProject(): Promise<string> {
  const project = await createProject({ 'package.json': '{ "type": "module" }' });
  projects.set(project.folder, project);
  onTestFinished(() => project.remove());
  return project.folder;
}

/** Runs test files, and tells what became of each. */
export async function runVitest(
  folder: string,
  testFiles: readonly string[],
): Promise<Readonly<Record<string, TestOutcome>>> {
  const project = projects.get(folder);
  if (project === undefined) throw new Error(`${folder} is no project`);
  return worldOf(project, () => project.vitest('--reporter=default', ...testFiles)).run(testFiles);
}
