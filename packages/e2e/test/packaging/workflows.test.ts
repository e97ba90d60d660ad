import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load as parse } from 'js-yaml';
import { expect, test } from 'vitest';
import { publicPackages, ROOT, readJson } from '../../src/workspace.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

type Permissions = Readonly<Record<string, string>>;

interface Job {
  readonly needs?: string;
  readonly permissions?: Permissions;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(ROOT, '.github/workflows');
const texts = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const jobs = texts.flatMap(({ name, text }) => {
  const workflow = parse(text) as Workflow;
  return Object.entries(workflow.jobs).map(([job, found]) => ({ place: `${name} ${job}`, workflow, job: found }));
});

test('an action of others is pinned to a commit, with the version that it is beside it', () => {
  const used = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, what = '']) => `${name} ${what}`),
  );
  expect(used.length).toBeGreaterThan(5);
  expect(
    used.filter((line) => !/ ([\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/packages\/[\w-]+)$/.test(line)),
  ).toEqual([]);
});

test('an action of our own is in the tree, and is given inputs that it has', () => {
  const own = jobs.flatMap(({ job }) => job.steps).filter(({ uses }) => uses?.startsWith('./'));
  expect(own).not.toEqual([]);
  for (const { uses = '', with: given = {} } of own) {
    const file = join(ROOT, uses, 'action.yml');
    expect(existsSync(file), uses).toBe(true);
    const { inputs } = parse(readFileSync(file, 'utf8')) as { inputs: Record<string, unknown> };
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  }
});

test('every job says how long it may take and what it may do, and only the release may write', () => {
  for (const { place, workflow, job } of jobs) {
    expect(job['timeout-minutes'], place).toBeGreaterThan(0);
    const permissions = { ...workflow.permissions, ...job.permissions };
    const writes = Object.keys(permissions).filter((name) => permissions[name] === 'write');
    expect(workflow.permissions, place).toBeDefined();
    expect(writes, place).toEqual(place === 'release.yml release' ? ['contents', 'pull-requests', 'id-token'] : []);
  }
});

test('no workflow puts what somebody else wrote into a script', () => {
  const scripts = jobs.flatMap(({ place, job }) => job.steps.map(({ run = '' }) => ({ place, run })));
  expect(scripts.filter(({ run }) => run.includes('${{'))).toEqual([]);
});

test('what is published is tested first, by a job that may not publish, and carries a statement of provenance', () => {
  const release = jobs.find(({ place }) => place === 'release.yml release')?.job;
  const tests = jobs.find(({ place }) => place === 'release.yml test')?.job;
  expect(release?.needs).toBe('test');
  expect(tests?.steps.at(-1)?.run).toBe('npm test');
  expect(release?.steps.some(({ run }) => /npm (run )?test/.test(run ?? ''))).toBe(false);
  const publishing = release?.steps.find(({ uses }) => uses?.startsWith('changesets/action@'));
  expect(publishing?.env).toMatchObject({ NPM_CONFIG_PROVENANCE: 'true', NPM_TOKEN: '' });
  expect(publishing?.with).toEqual({
    version: 'npx pnpm changeset version',
    publish: 'npx pnpm changeset publish',
  });
});

test('all public packages are released together, under one version', () => {
  const { fixed, access } = readJson<{ fixed: readonly (readonly string[])[]; access: string }>(
    join(ROOT, '.changeset/config.json'),
  );
  expect(access).toBe('public');
  const [together = []] = fixed;
  const released = (name: string): boolean =>
    together.some((pattern) => (pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
  expect(publicPackages().filter(({ manifest }) => !released(manifest.name))).toEqual([]);
  expect(new Set(publicPackages().map(({ manifest }) => manifest.version)).size).toBe(1);
});

test('a changeset names packages that are published', () => {
  const names = new Set(publicPackages().map(({ manifest }) => manifest.name));
  const folder = join(ROOT, '.changeset');
  const unknown = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => {
      const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
      const released = Object.entries((parse(front) ?? {}) as Record<string, string>);
      const wrong = released.filter(([each, kind]) => !names.has(each) || !/^(major|minor|patch)$/.test(kind));
      return released.length === 0 ? [name] : wrong.map(([each]) => `${name} ${each}`);
    });
  expect(unknown).toEqual([]);
});
