import { join } from 'node:path';
import { loadTrace } from '@stepfork/trace-format';
import { buildCase } from '../build-case.js';
import type { RegressionCase } from '../case.js';
import { assertExporter, type Exporter } from '../exporter.js';
import { traceDigest } from '../project/trace-digest.js';
import { writeRendered } from '../write.js';
import { agentFile, agentSource, configFile, configSource, recordBuggy } from './agent.js';
import { type ConformanceCheck, type ConformanceOptions, notConformant, type TestOutcome } from './contract.js';
import { hostileCases } from './hostile.js';
import { rendered, requireHarmless } from './rendering.js';
import { SCENARIOS, type Scenario } from './scenarios.js';

/**
 * What every exporter has to do, as checks for whatever test runner its author uses:
 *
 * ```ts
 * for (const { name, check } of conformance(exporter, options)) test(name, check);
 * ```
 *
 * Tests are rendered from a real recording, and run once, together, by the exporter's own framework.
 */
export function conformance(exporter: Exporter, options: ConformanceOptions): readonly ConformanceCheck[] {
  const trial = new Trial(exporter, options);
  return [
    { name: 'is an exporter', check: async () => assertExporter(exporter, 'under test') },
    {
      name: 'renders the same case to the same harmless files, whatever a recording says',
      check: () => trial.harmless(),
    },
    { name: 'stays inert whatever a recording says', check: () => trial.inert() },
    ...SCENARIOS.map((scenario) => ({ name: scenario.name, check: () => trial.judge(scenario) })),
  ];
}

/** The test that is rendered from hostile text. */
const HOSTILE = 'hostile';
const TRACE = join('traces', 'failure.sftrace');
const FOLDER = 'tests';

class Trial {
  readonly #exporter: Exporter;
  readonly #options: ConformanceOptions;
  #laidOut: Promise<Outcomes> | null = null;

  constructor(exporter: Exporter, options: ConformanceOptions) {
    this.#exporter = exporter;
    this.#options = options;
  }

  async harmless(): Promise<void> {
    const { plain } = await this.#outcomes();
    for (const hostile of hostileCases(plain)) requireHarmless(rendered(this.#exporter, hostile), this.#options);
  }

  async inert(): Promise<void> {
    const { passed, output } = await this.#outcomeOf(HOSTILE);
    if (!passed) throw notConformant(`a test rendered from hostile text is not green:\n${output}`);
  }

  async judge({ name, says }: Scenario): Promise<void> {
    const { passed, output } = await this.#outcomeOf(fileStem(name));
    if (passed !== (says === undefined)) throw notConformant(`it is ${passed ? 'green' : 'red'}:\n${output}`);
    const unsaid = says?.find((text) => !output.includes(text));
    if (unsaid !== undefined) throw notConformant(`the framework does not say ${unsaid}, but:\n${output}`);
  }

  async #outcomeOf(stem: string): Promise<TestOutcome> {
    const { of } = await this.#outcomes();
    const outcome = of[this.#testFile(stem)];
    if (outcome === undefined) throw notConformant(`nothing was told of the test file ${this.#testFile(stem)}`);
    return outcome;
  }

  #outcomes(): Promise<Outcomes> {
    this.#laidOut ??= this.#runAll();
    return this.#laidOut;
  }

  async #runAll(): Promise<Outcomes> {
    const { folder, run } = await this.#options.prepare();
    const { target } = this.#options;
    const sources = [
      { path: agentFile(target), text: agentSource(target) },
      { path: configFile(target), text: configSource(target) },
    ];
    writeRendered(sources, folder);
    await recordBuggy(join(folder, TRACE));
    const plain = this.#caseOf(folder, HOSTILE, { version: 'echoing', expects: { expected: null } });
    const cases = SCENARIOS.map((scenario) => this.#caseOf(folder, fileStem(scenario.name), scenario));
    const hostile = hostileCases(plain).slice(-1);
    for (const regression of [...cases, ...hostile]) {
      writeRendered(rendered(this.#exporter, regression), join(folder, FOLDER));
    }
    const stems = [...SCENARIOS.map(({ name }) => fileStem(name)), HOSTILE];
    return { plain, of: await run(stems.map((stem) => this.#testFile(stem))) };
  }

  #caseOf(folder: string, stem: string, { version, expects, rules }: Omit<Scenario, 'name' | 'says'>): RegressionCase {
    const tracePath = join(folder, TRACE);
    const digest = traceDigest(tracePath);
    return buildCase({
      trace: loadTrace(tracePath),
      tracePath,
      ...(digest === null ? {} : { traceDigest: digest }),
      entrypointFile: join(folder, agentFile(this.#options.target)),
      exportName: version,
      testFile: join(folder, this.#testFile(stem)),
      target: { ...this.#options.target, importSuffix: 'js' },
      ...(rules === undefined ? {} : { config: { file: join(folder, configFile(this.#options.target)), rules } }),
      ...expects,
    });
  }

  #testFile(stem: string): string {
    return `${FOLDER}/${stem}${this.#exporter.fileSuffix(this.#options.target)}`;
  }
}

interface Outcomes {
  readonly plain: RegressionCase;
  readonly of: Readonly<Record<string, TestOutcome>>;
}

function fileStem(name: string): string {
  return name.replace(/[^a-z]+/g, '-');
}
