import type { Block } from './blocks.ts'

/** Error message for JSON that does not parse. `jsonc` may contain comments, `…` and several values in a row. */
export function jsonFault({ language, code }: Block): string | undefined {
  if (language !== 'json' && language !== 'jsonc') return undefined
  try {
    if (language === 'json') JSON.parse(code)
    else for (const value of valuesIn(plainJson(code))) JSON.parse(value)
    return undefined
  } catch (cause) {
    return (cause as Error).message
  }
}

const stringsAndComments = /"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\//g

/** Removes comments and `…` outside strings. */
function plainJson(text: string): string {
  return text
    .replace(stringsAndComments, (found) => (found.startsWith('"') ? found : ''))
    .replace(/"(?:[^"\\\n]|\\.)*"|…/g, (found) => (found === '…' ? '' : found))
    .replace(/^\s*→\s*$/gm, '')
}

/** Splits a text into consecutive values; a single object member is wrapped in braces. */
function valuesIn(text: string): string[] {
  const values = ['']
  let depth = 0
  for (const [part] of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[[\]{}]|[^"[\]{}]+/g)) {
    values[values.length - 1] += part
    if ('[{'.includes(part)) depth += 1
    if (']}'.includes(part)) depth -= 1
    if (']}'.includes(part) && depth === 0) values.push('')
  }
  const trimmed = values.map((value) => value.trim()).filter(Boolean)
  return trimmed.map((value) => (value.startsWith('"') ? `{${value}}` : value))
}

type Server = { command?: string; args?: readonly string[] }

/** The servers in a client config. */
export function serversIn({ language, code }: Block): Server[] {
  if (language !== 'json') return []
  const { mcpServers, servers, context_servers } = JSON.parse(code) as Record<
    string,
    Record<string, Server> | undefined
  >
  return Object.values(mcpServers ?? servers ?? context_servers ?? {}).filter(({ command }) => command !== undefined)
}
