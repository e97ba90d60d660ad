import { walk } from './walk.mjs';

/**
 * The bundles that any of the patterns names, from the project's folder.
 *
 * @param {string} folder
 * @param {readonly string[]} patterns
 * @returns {string[]}
 */
export function findBundles(folder, patterns) {
  const wanted = patterns.map(patternOf);
  return [...walk(folder)]
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.sftrace') && wanted.some((pattern) => pattern.test(path)));
}

/** `**` is any folders, `*` and `?` are any characters of one name; neither takes a name that begins with a dot. */
function patternOf(text) {
  const names = text.replace(/^\.\//, '').split('/');
  const parts = names.map((name, index) => {
    const last = index === names.length - 1;
    if (name === '**') return last ? '(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+' : '(?:(?!\\.)[^/]+/)*';
    return `${/^[*?]/.test(name) ? '(?!\\.)' : ''}${nameSource(name)}${last ? '' : '/'}`;
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}

const nameSource = (name) =>
  name
    .replaceAll(/[\\^$.+()|[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '[^/]*')
    .replaceAll('?', '[^/]');
