import { describe, expect, it } from 'vitest';
import { formatPath, formatRootedPath, parsePointer, toPointer } from './path.js';

describe('paths', () => {
  it.each([
    [[], '$', '$', ''],
    [['should_notify'], 'should_notify', '$.should_notify', '/should_notify'],
    [['a', 'b', 0], 'a.b[0]', '$.a.b[0]', '/a/b/0'],
    [[0, 'x'], '[0].x', '$[0].x', '/0/x'],
    [['odd key', 'ключ', '0'], '["odd key"].ключ["0"]', '$["odd key"].ключ["0"]', '/odd key/ключ/0'],
    [['a/b', 'c~d', ''], '["a/b"]["c~d"][""]', '$["a/b"]["c~d"][""]', '/a~1b/c~0d/'],
    [['\u001b'], '["\\u001b"]', '$["\\u001b"]', '/\u001b'],
  ])('%j prints as %s', (segments, path, rooted, pointer) => {
    expect(formatPath(segments)).toBe(path);
    expect(formatRootedPath(segments)).toBe(rooted);
    expect(toPointer(segments)).toBe(pointer);
    expect(parsePointer(pointer)).toEqual(segments.map(String));
  });

  it('refuse what is no JSON Pointer', () => {
    for (const text of ['a', 'a/b', '/~2', '/~']) expect(parsePointer(text)).toBeNull();
  });
});
