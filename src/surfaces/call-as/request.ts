import type { Method } from '../../kernel/operation.ts'
import type { Calling } from '../../kernel/tool.ts'

export type Input = Readonly<Record<string, unknown>>
/** What is to be known of an operation to write down a call of it. */
export type CallableOperation = {
  name: string
  method: Method
  template: string
  /** Absent where agents are not offered it. */
  calling?: Calling | undefined
  /** It begins a job that brings pages one by one. */
  bringsPages: boolean
}

export type Call = { method: Method; path: string; body: object | undefined }

/** An input written as JSON; undefined for what is no object. */
export function objectIn(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The request that carries an input: slots of the path first, the rest as the body of a POST or else as the query. */
export function requestOf({ method, template }: CallableOperation, input: Input): Call {
  const slots = [...template.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name] ?? '')))
  const rest = Object.entries(input).filter(([name, value]) => value !== undefined && !slots.includes(name))
  if (method === 'POST' || method === 'PATCH') return { method, path, body: Object.fromEntries(rest) }
  const query = new URLSearchParams(rest.flatMap(([name, value]) => [value].flat().map((item) => [name, textOf(item)])))
  return { method, path: query.size > 0 ? `${path}?${query}` : path, body: undefined }
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
