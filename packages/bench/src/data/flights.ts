/** A search result as tools give them: records of short texts, numbers and flags. */
export interface Flight {
  readonly id: string;
  readonly carrier: string;
  readonly departs: string;
  readonly arrives: string;
  readonly price: number;
  readonly refundable: boolean;
  readonly remarks: string;
}

const CARRIERS = ['TAP Air Portugal', 'Lufthansa', 'KLM Royal Dutch Airlines', 'Ryanair'];

/** So many flights that their JSON is about `bytes` long. */
export function flights(bytes: number): { readonly flights: readonly Flight[] } {
  const list: Flight[] = [];
  for (let size = 12; size < bytes; ) {
    const flight = flightAt(list.length);
    size += JSON.stringify(flight).length + 1;
    list.push(flight);
  }
  return { flights: list };
}

function flightAt(index: number): Flight {
  const hour = String(6 + (index % 16)).padStart(2, '0');
  return {
    id: `FL-${1000 + index}`,
    carrier: CARRIERS[index % CARRIERS.length] ?? '',
    departs: `2026-03-${String(1 + (index % 28)).padStart(2, '0')}T${hour}:15:00Z`,
    arrives: `2026-03-${String(1 + (index % 28)).padStart(2, '0')}T${hour}:55:00Z`,
    price: 79.5 + ((index * 37) % 400),
    refundable: index % 3 === 0,
    remarks: 'One cabin bag included; checked luggage and seats can be added until check-in.',
  };
}

/** About 300 bytes of arguments. */
export const QUERY = {
  from: 'BER',
  to: 'LIS',
  date: '2026-03-14',
  passengers: [
    { type: 'adult', age: 41 },
    { type: 'child', age: 7 },
  ],
  cabin: 'economy',
  note: 'The traveller prefers to arrive before noon and does not want to change planes in Frankfurt or in Madrid.',
  limits: { price: 250, stops: 0, results: 20 },
};
