import { block, code, cut } from './text.mjs';

/** GitHub shows no summary of more than a mebibyte. */
const MOST = 900_000;
const MOST_OF_TEXT = 6_000;

const OUTCOMES = { passed: '✅ passed', failed: '❌ failed', 'not run': '⚠️ not run', unknown: '' };

/**
 * What was found, in GitHub's Markdown. Words of our own are Markdown; whatever comes from a bundle, a file's name or a
 * test stands escaped inside HTML, in which no Markdown is read.
 */
export function renderSummary({ bundles, tests, run, problems }) {
  if (run === null) return `## Stepfork\n\n${block(problems[0])}\n`;
  const failed = tests.filter(({ outcome }) => outcome.state === 'failed');
  const sections = failed.map(failureSection);
  if (failed.length === 0 && run.exit !== 0) {
    sections.push(`The command ended with ${run.exit}. Its last lines:`, block(run.output.trim()));
  }
  return `${within([headline(bundles, tests, failed, run), table(bundles, tests), ...sections]).join('\n\n')}\n`;
}

function headline(bundles, tests, failed, { exit, results }) {
  const all = `${tests.length} exported ${tests.length === 1 ? 'test' : 'tests'}`;
  const invalid = bundles.filter(({ fault }) => fault !== null).length;
  const said = [];
  if (tests.length === 0) said.push('no test was exported from these recordings');
  else if (failed.length > 0) said.push(`${failed.length} of ${all} failed`);
  else if (exit !== 0) said.push('the tests could not be run');
  else said.push(results === null ? 'the tests passed' : `${all} passed`);
  if (invalid > 0) said.push(`${invalid} of ${bundles.length} recordings not valid`);
  return `## Stepfork: ${said.join(', ')}`;
}

function table(bundles, tests) {
  const rows = bundles.flatMap((bundle) => {
    const of = tests.filter((test) => test.bundle === bundle.path);
    return of.length === 0 ? [row(bundle, null)] : of.map((test) => row(bundle, test));
  });
  return `<table>\n<tr><th>Recording</th><th></th><th>Test</th><th></th></tr>\n${rows.join('\n')}\n</table>`;
}

function row({ path, fault, digests }, test) {
  const state = fault !== null ? `❌ ${code(cut(fault, 300))}` : digests ? '✅ valid' : '✅ valid, without digests';
  const [name, outcome] = test === null ? ['none', ''] : [code(test.path), OUTCOMES[test.outcome.state]];
  return `<tr><td>${code(path)}</td><td>${state}</td><td>${name}</td><td>${outcome}</td></tr>`;
}

function failureSection({ path, bundle, outcome, behaviour }) {
  const messages = outcome.failures.map(({ name, text }) => `${name === '' ? '' : `${name}\n`}${text}`).join('\n\n');
  return [`<h3>${code(path)}</h3>`, block(cut(messages, MOST_OF_TEXT)), ...behaviourOf(behaviour, bundle)].join('\n\n');
}

function behaviourOf(behaviour, bundle) {
  switch (behaviour?.kind) {
    case 'different':
      return [
        `<p>What the agent does now, compared with ${code(bundle)}:</p>`,
        block(cut(behaviour.text, MOST_OF_TEXT)),
      ];
    case 'same':
      return [`<p>The agent still does what was recorded in ${code(bundle)}.</p>`];
    case 'unknown':
      return [
        'What the agent does now could not be compared with the recording:',
        block(cut(behaviour.text, MOST_OF_TEXT)),
      ];
    default:
      return [];
  }
}

/** As many sections as there is room for. */
function within(sections) {
  let room = MOST;
  const kept = sections.filter((section) => {
    room -= Buffer.byteLength(section);
    return room > 0;
  });
  const left = sections.length - kept.length;
  return left === 0 ? kept : [...kept, `${left} more could not be shown.`];
}
