// A page of the API reference: every name that an entry exports, its declaration, and what TSDoc says of it.

/** Kinds in the order of the page, each with its heading. */
const KINDS = [
  ['Function', 'Functions'],
  ['Class', 'Classes'],
  ['Variable', 'Values'],
  ['Interface', 'Interfaces'],
  ['TypeAlias', 'Types'],
];

/**
 * @param specifier what a program imports
 * @param model the document that api-extractor made of the entry
 * @param report its report, which also has what is passed on from other packages
 */
export function apiPage(specifier, model, report) {
  const exported = model.members[0].members;
  const strange = exported.find(({ kind }) => !KINDS.some(([known]) => known === kind));
  if (strange !== undefined)
    throw new Error(`${specifier}: the page has no place for a ${strange.kind}, ${strange.name}`);
  const sections = KINDS.flatMap(([kind, heading]) => {
    const groups = groupsOf(exported.filter((each) => each.kind === kind));
    return groups.length === 0 ? [] : [`## ${heading}\n`, ...groups.map(memberText)];
  });
  const all = [...sections, ...passedOn(report)];
  const what = all.length === 0 ? 'It exports nothing, and is imported for what it does' : 'All that it exports';
  return [
    `# ${specifier}\n`,
    `${what}. Made from the sources by \`node scripts/api-reports.mjs\`; what it is for: [API](../api.md).\n`,
    ...all,
  ].join('\n');
}

/** Names that the entry has from other packages, where they are described. */
function passedOn(report) {
  const exported = new Set([...report.matchAll(/^export \{ (\w+) \}$/gm)].map(([, name]) => name));
  const lines = [...report.matchAll(/^import \{ (\w+) \} from '([^']+)';$/gm)]
    .filter(([, name]) => exported.has(name))
    .map(([, name, from]) => `- \`${name}\`, of \`${from}\`\n`);
  return lines.length === 0 ? [] : ['## Passed on\n', lines.join('')];
}

/** The overloads of a function stand together. */
function groupsOf(members) {
  const byName = new Map();
  for (const each of members) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  return [...byName.values()];
}

function memberText(group) {
  const declarations = group.map(declarationOf).join('\n\n');
  const said = group.map(({ docComment }) => prose(docComment)).filter((text) => text !== '');
  return [`### ${group[0].name}\n`, `\`\`\`ts\n${declarations}\n\`\`\`\n`, ...new Set(said).values()].join('\n');
}

const textOf = ({ excerptTokens }) => excerptTokens.map(({ text }) => text).join('');

/** What is declared, with the members of an interface or a class and what is said of each. */
function declarationOf(member) {
  const keyword = member.kind === 'Variable' ? 'const ' : '';
  const head = `${keyword}${textOf(member).replace(/^(export )?(declare )?/, '')}`.trim();
  if (member.members === undefined) return head.endsWith(';') ? head : `${head};`;
  const lines = member.members.flatMap((each) => [
    ...commentLines(each.docComment),
    ...textOf(each)
      .trim()
      .split('\n')
      .map((line, at) => (at === 0 ? line : line.replace(/^ {4}/, ''))),
  ]);
  return `${head} {\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n}`;
}

function commentLines(docComment) {
  return docComment === undefined || linesIn(docComment).length === 0
    ? []
    : linesIn(docComment).map((line) => `// ${line}`.trimEnd());
}

/** The lines of a comment without its marks. */
function linesIn(docComment = '') {
  const lines = docComment
    .replace(/^\s*\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const text = lines
    .join('\n')
    .replaceAll(/\{@link ([^}|]+)[^}]*\}/g, '`$1`')
    .trim();
  return text === '' ? [] : text.split('\n');
}

/** TSDoc as Markdown: a list of what it says of parameters, results and errors, after the rest. */
function prose(docComment) {
  const text = linesIn(docComment)
    .join('\n')
    .replaceAll(/^@param (\S+)\s+(?:- )?/gm, '- `$1`: ')
    .replaceAll(/^@(returns|throws)\s+/gm, '- $1 ')
    .replaceAll(/([^\n])\n(```\w)/g, '$1\n\n$2');
  return text === '' ? '' : `${outsideCode(text)}\n`;
}

/** No text of a comment becomes a tag of the page, but what stands in code stays as it is. */
const outsideCode = (text) =>
  text
    .split(/(```[\s\S]*?```|`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '\\<').replaceAll('{{', '{\\{')))
    .join('');
