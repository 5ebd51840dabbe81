type Known<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** The object without undefined fields, empty objects and empty lists. */
export function omitEmpty<T extends object>(fields: T): Known<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isKnown(value))) as Known<T>
}

const isKnown = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0)
