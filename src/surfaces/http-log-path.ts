/** A path as it may be written down: what follows these names is a secret, wherever in the path they stand. */
export const loggedPath = (path: string): string => path.replace(/(^|\/)(cdp|live)\/+[^/]+/gi, '$1$2/…')
