import { inspect } from 'node:util'

/** A value as text, for whoever asked: text as it is, bytes in base64, data as JSON, anything else as a console shows it. */
export function showValue(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'object' && !isPlain(value)) return inspect(value, { depth: 3, showProxy: false })
  try {
    return JSON.stringify(value) ?? inspect(value)
  } catch {
    return inspect(value, { depth: 3 })
  }
}

/** Objects of the API would show all their methods. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isData = prototype === Object.prototype || prototype === null || Array.isArray(value) || 'toJSON' in value
  return isData && !Object.values(value).some((each) => typeof each === 'function')
}
