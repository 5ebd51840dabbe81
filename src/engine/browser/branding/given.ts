type Given<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** Without the fields that are not known, and without parts and lists that have nothing in them. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isKnown(value))) as Given<T>
}

const isKnown = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0)
