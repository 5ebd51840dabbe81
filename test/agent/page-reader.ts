import { isRecord } from '../../src/util/json.ts'
import { gives, type ModelCall, type ModelScript } from '../helpers/model-server.ts'
import { pageIn } from '../operations/extract-world.ts'
import type { ExtractTask as Task } from './extract-tasks.ts'

/** A model that reads each field of a page by the patterns of the task, and obeys orders in the page. */
export const reader =
  ({ reads }: Task): ModelScript =>
  (call: ModelCall) => {
    const text = pageIn(call).replace(/[*\\]/g, '')
    const order = /say it closed in (\d+)/.exec(text)?.[1]
    return gives(order === undefined ? filled(call.schema, text, reads) : { closed: Number(order) })
  }

function filled(schema: unknown, text: string, reads: Task['reads'], path = ''): unknown {
  if (!isRecord(schema)) return undefined
  const rule = reads[path]
  if (schema['type'] === 'array') return listed(schema['items'], text, reads, path)
  if (!isRecord(schema['properties'])) return rule && typed(schema, firstGroup(rule, text))
  const entries = Object.entries(schema['properties']).map(
    ([name, inner]) => [name, filled(inner, text, reads, path === '' ? name : `${path}.${name}`)] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function listed(items: unknown, text: string, reads: Task['reads'], path: string): unknown[] {
  if (!isRecord(items) || !isRecord(items['properties'])) return groups(reads[path], text)
  const columns = Object.entries(items['properties']).map(([name, rule]) => ({
    name,
    cells: groups(reads[`${path}.${name}`], text).map((cell) => typed(rule, cell)),
  }))
  return (columns[0]?.cells ?? []).map((_, row) =>
    Object.fromEntries(columns.map(({ name, cells }) => [name, cells[row]])),
  )
}

const firstGroup = (rule: RegExp, text: string) => rule.exec(text)?.slice(1).find(Boolean)?.trim()
const groups = (rule: RegExp | undefined, text: string) =>
  rule ? [...text.matchAll(rule)].flatMap(([, found]) => found ?? []) : []
const typed = (rule: unknown, found: string | undefined) =>
  found !== undefined && isRecord(rule) && /number|integer/.test(String(rule['type'])) ? Number(found) : found
