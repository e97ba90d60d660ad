#!/usr/bin/env node
// Copies the fixed file over the buggy one and prints the lines that differ.
import { copyFileSync, readFileSync } from 'node:fs';

const [fixed, buggy] = process.argv.slice(2);
const after = readFileSync(fixed, 'utf8').split('\n');
const before = readFileSync(buggy, 'utf8').split('\n');

let start = 0;
while (start < before.length && before[start] === after[start]) start++;
let end = 0;
while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;

console.log(`${buggy}:${start + 1}`);
for (const line of before.slice(start, before.length - end)) console.log(`- ${line}`);
for (const line of after.slice(start, after.length - end)) console.log(`+ ${line}`);
copyFileSync(fixed, buggy);
