import type { z } from 'zod'
import { isRecord } from '../util/json.ts'

/** One fault of an input, in the shape of a zod issue: its path and what was expected. */
export type Issue = { path: (string | number)[]; message: string; code: string }

/** Maximum messages for one value that matches no branch of a union. */
const maxMessages = 5

/** Returns the issues of zod. For a union, they are those of the branch that the caller most likely meant. */
export function readableIssues(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => resolved(issue, []))
}

function resolved(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): Issue[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => issueOf([...path, key], 'Unknown field.', issue.code))
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return [issueOf(path, issue.message, issue.code ?? 'custom')]
  const branches = issue.errors.map((branch) => branch.flatMap((inner) => resolved(inner, path)))
  const meant = branches.find((branch) => branch.every((inner) => !isWrongKind(inner, path)))
  const messages = new Set(branches.flatMap((branch) => branch.map((inner) => inner.message)))
  const texts = [...messages]
    .slice(0, maxMessages)
    .map((text, at) => (at === 0 ? text : text.replace(/^Expected /, '')))
  return meant ?? [issueOf(path, texts.join(', or '), issue.code)]
}

/** True if the value as a whole does not fit the branch, so the caller did not mean it. */
const isWrongKind = (issue: Issue, path: readonly PropertyKey[]) => issue.path.length === path.length

const issueOf = (path: readonly PropertyKey[], message: string, code: string): Issue => ({
  path: path.map((key) => (typeof key === 'number' ? key : String(key))),
  message: message
    .replace(
      /^Invalid discriminator value\. Expected (.*)/,
      (_, names: string) => `Expected one of ${names.replaceAll("'", '"').replaceAll(' | ', ', ')}`,
    )
    .replace(/^Invalid (?:input|option): expected/, 'Expected')
    .replaceAll('"|"', '", "'),
  code,
})

/** Returns a path as text, such as `formats[0].selector`. */
export const dotted = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    '',
  )

/** An issue with its path as text. */
export type Fault = { path: string; message: string; code: string }

/** Returns the faults in the details of an error; an empty list if the details have another shape. */
export function faultsIn(details: unknown): Fault[] {
  if (!Array.isArray(details)) return []
  return details.flatMap((issue: Partial<Record<keyof Fault, unknown>> | null) =>
    typeof issue?.message === 'string'
      ? [{ path: pathText(issue.path), message: issue.message, code: String(issue.code ?? 'custom') }]
      : [],
  )
}

const pathText = (path: unknown) => (Array.isArray(path) ? dotted(path) : String(path ?? ''))

/** A sent key that zod dropped. */
export type Dropped = { path: string; key: string; value: unknown }

/** Returns the keys that were sent but are not in the parsed value. */
export const droppedKeys = (sent: unknown, parsed: unknown): Dropped[] =>
  lostIn(sent, parsed).filter(({ key }) => key !== '')

/** Returns the dropped keys, and each object that was parsed to something else, with an empty key. */
export function lostIn(sent: unknown, parsed: unknown, above = ''): Dropped[] {
  // Zod returned the value itself, so no key was dropped. It may be nested too deeply for this recursion.
  if (sent === parsed) return []
  if (Array.isArray(sent) && Array.isArray(parsed))
    return sent.flatMap((item, index) =>
      item === parsed[index] ? [] : lostIn(item, parsed[index], `${above}[${index}]`),
    )
  if (!isRecord(sent)) return []
  if (!isRecord(parsed)) return [{ path: above, key: '', value: sent }]
  return Object.keys(sent).flatMap((key) => {
    const path = above ? `${above}.${key}` : key
    const value = sent[key]
    if (value === undefined) return []
    return Object.hasOwn(parsed, key) ? lostIn(value, parsed[key], path) : [{ path, key, value }]
  })
}
