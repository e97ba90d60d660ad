/** What can be said of an error that an SDK throws: its classes, and what it tells. */
export function describeError(thrown: unknown): unknown {
  const { name, message, status } = thrown as { name: string; message: string; status?: number };
  const classes: string[] = [];
  for (let at: unknown = Object.getPrototypeOf(thrown); at !== null; at = Object.getPrototypeOf(at)) {
    classes.push((at as object).constructor.name);
  }
  return { name, message, status: status ?? null, classes };
}

export function thrownBy(made: Promise<unknown>): Promise<unknown> {
  return made.then(() => 'nothing', describeError);
}
