import { spawnSync } from 'node:child_process';

/** Something to ask Date for. Numbers are milliseconds since the epoch; null is NaN. */
export type Question =
  | { readonly ask: 'moment'; readonly ms: number }
  | { readonly ask: 'fields'; readonly fields: readonly number[] }
  | { readonly ask: 'text'; readonly text: string }
  | { readonly ask: 'set'; readonly ms: number; readonly method: string; readonly args: readonly number[] };

/** What Date says of them here. Its text goes to other processes too, so that it knows nothing but its argument. */
export function answersTo(questions: readonly Question[]): readonly unknown[] {
  return questions.map((question) => {
    if (question.ask === 'text') return [new Date(question.text).getTime(), Date.parse(question.text)];
    if (question.ask === 'fields') {
      const [year = 0, month = 0, ...rest] = question.fields;
      return new Date(year, month, ...rest).getTime();
    }
    const date = new Date(question.ms);
    if (question.ask === 'set') {
      return [Reflect.apply(Reflect.get(date, question.method), date, question.args), date.getTime()];
    }
    return {
      fields: [
        date.getFullYear(),
        date.getMonth(),
        date.getDate(),
        date.getHours(),
        date.getMinutes(),
        date.getSeconds(),
      ],
      more: [date.getDay(), Reflect.apply(Reflect.get(date, 'getYear'), date, []), date.getTimezoneOffset()],
      texts: [date.toString(), date.toDateString(), date.toTimeString(), String(date), `${date}`]
        // Named as the zone is today, whatever it was then.
        .map((text) => (date.getUTCFullYear() === 2026 ? text : text.replace(/\(.*/, ''))),
      locale: [date.toLocaleString('en-GB'), date.toLocaleDateString('de'), date.toLocaleTimeString('en-US')],
      styled: [
        date.toLocaleString('en', { dateStyle: 'full', timeStyle: 'short' }),
        new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' }).format(date),
        date.toLocaleString('en', { timeZone: 'Asia/Tokyo' }),
      ],
      json: JSON.stringify(date),
    };
  });
}

/** What it says of them in a process of that zone. */
export function answersInProcess(timeZone: string, questions: readonly Question[]): readonly unknown[] {
  const script = `
    const answersTo = ${answersTo};
    const questions = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    process.stdout.write(JSON.stringify(answersTo(questions)));
  `;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], {
    env: { ...process.env, TZ: timeZone, NODE_OPTIONS: '' },
    input: JSON.stringify(questions),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly unknown[];
}
