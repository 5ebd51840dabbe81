import type { z } from 'zod'
import type { AnyOperation } from '../operation.ts'
import { formsOf, operationsOf, type Tool } from '../tool.ts'
import { limitsOf } from '../size/limits.ts'
import { sizeFaults } from '../size/faults.ts'
import { isRecord } from '../../util/json.ts'
import { merged, type Node, nodeOf } from './node.ts'
import { noteOf, type Place, sentenceOf } from './notes.ts'
import { meantBy } from './read.ts'
import { jsonIn } from './texts.ts'

type Sent = Record<string, unknown>
/** The input as it is meant, the very object where that is what came, and what was read differently as one sentence. */
export type Read = { input: Sent; warning?: string | undefined }

const ofInput = new WeakMap<AnyOperation, Node>()
const ofArguments = new WeakMap<Tool, Node>()

/** An input as it goes over the wire. */
export function readInput(operation: AnyOperation, sent: Sent): Read {
  const node = made(ofInput, operation, () => nodeOf(operation.input))
  return readBy(operation.name, [operation], node, sent)
}

/** The arguments of an agent, which may be those it was shown or the wire input; `own` are those of the surface itself. */
export function readArguments(tool: Tool, own: z.ZodObject, sent: Sent): Read {
  const node = made(ofArguments, tool, () => [...formsOf(tool), own].map(nodeOf).reduce(merged))
  return readBy(tool.name, operationsOf(tool), node, sent)
}

function made<K extends object>(nodes: WeakMap<K, Node>, key: K, make: () => Node): Node {
  const node = nodes.get(key) ?? make()
  nodes.set(key, node)
  return node
}

function readBy(name: string, operations: readonly AnyOperation[], node: Node, sent: Sent): Read {
  // What is too large is refused as it is.
  if (operations.some((operation) => sizeFaults(limitsOf(operation), sent).length > 0)) return { input: sent }
  const notes: string[] = []
  const tell: Place['tell'] = (path, as) => void notes.push(noteOf(path, as))
  const input = meantBy(node, unwrapped(node, sent, tell), { path: [], context: name, tell })
  return isRecord(input) ? { input, warning: sentenceOf(notes) } : { input: sent }
}

const wrappers: readonly string[] = ['arguments', 'args', 'input', 'params', 'parameters', 'kwargs', 'body', 'request']

/** Some hand over the whole input as one argument. */
function unwrapped({ shape }: Node, sent: Sent, tell: Place['tell']): Sent {
  const [name = '', ...others] = Object.keys(sent)
  if (others.length > 0 || !wrappers.includes(name) || shape.kind !== 'object' || shape.fields.has(name)) return sent
  const value = sent[name]
  const inside = typeof value === 'string' ? jsonIn(value) : value
  if (!isRecord(inside)) return sent
  tell([name], 'the whole input')
  return inside
}
