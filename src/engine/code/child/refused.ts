export const refused = (what: string): never => {
  throw Object.assign(new Error(`${what} is not available to this code.`), { code: 'ERR_ACCESS_DENIED' })
}

/** Replaces a member so that nobody can bring it back. */
export function lock(object: object, name: PropertyKey, value: unknown): void {
  const known = Object.getOwnPropertyDescriptor(object, name)
  if (known?.configurable === false && known.writable !== true) return
  Object.defineProperty(object, name, { value, writable: false, configurable: false })
}
