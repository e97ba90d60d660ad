/** How every command describes the bundle that it takes. */
export const A_BUNDLE = "A bundle's path, 'latest', 'latest:<agent>', or the beginning of a run's id";
