/** One thing that was said, as the APIs of models take and give it. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What is new in a turn: what a user says, about 120 B, and what the model says to it, about 220 B. */
export interface Turn {
  readonly asked: Message;
  readonly answered: Message;
}

export function turnAt(index: number): Turn {
  return {
    asked: {
      role: 'user',
      content: `Step ${index}: the search found ${index % 9} flights from Berlin to Lisbon below ${120 + index} euros.`,
    },
    answered: {
      role: 'assistant',
      content: `For step ${index} I compare the ${index % 9} flights by price and by arrival. Those that arrive after noon are left out, as the traveller asked. Next I look at the day after, ${1 + (index % 28)} March, and at trains.`,
    },
  };
}

/** Bytes of all that is said in so many turns, each thing once. */
export function bytesSaid(turns: number): number {
  let bytes = 0;
  for (let index = 0; index < turns; index++) bytes += Buffer.byteLength(JSON.stringify(turnAt(index)));
  return bytes;
}
