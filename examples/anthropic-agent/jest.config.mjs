export default {
  roots: ['<rootDir>/tests/jest'],
  transform: { '\\.ts$': '@swc/jest' },
  // Sources import each other as "./agent.js", the name that TypeScript and Node agree on.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
