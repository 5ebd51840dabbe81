import type { McpClient } from '../lib/mcp-client.ts'

/** Tokens are estimated as a quarter of the characters, about right for English and JSON. */
export type Spent = { calls: number; tokens: number }

/** Calls the tools of a server for one task, counts the calls, and records what the client has seen. */
export type Hand = {
  /** Returns the text of the answer. Fails if the tool fails. */
  call(tool: string, args: object): Promise<string>
  /** The latest answer that contains this text. */
  lastWith(text: string): string
  /** Fails if neither the task nor an earlier answer contains this text: a client cannot use what it has not seen. */
  requireTold(text: string): void
  spent(): Spent
}

type Block = { type: string; text?: string; data?: unknown }

export function createHand(client: McpClient, wording: string, onAnswer: (tool: string, text: string) => void): Hand {
  const seen = [wording]
  const spent = { calls: 0, characters: 0 }
  return {
    async call(tool, args) {
      const { content, isError } = await client.call('tools/call', { name: tool, arguments: args })
      const blocks = content as Block[]
      const text = blocks.map((block) => block.text ?? '').join('\n')
      spent.calls += 1
      spent.characters += blocks.reduce((sum, block) => sum + lengthOf(block), 0)
      seen.push(text)
      onAnswer(tool, text)
      if (isError === true) throw new Error(`${tool} failed: ${text.slice(0, 500)}`)
      return text
    },
    lastWith: (text) => seen.findLast((each) => each.includes(text)) ?? '',
    requireTold(text) {
      if (!seen.some((each) => each.toLowerCase().includes(text.toLowerCase())))
        throw new Error(`The client cannot know of ${text}`)
    },
    spent: () => ({ calls: spent.calls, tokens: Math.round(spent.characters / 4) }),
  }
}

/** Pictures are priced differently and not counted. */
function lengthOf(block: Block): number {
  if (block.type === 'image') return 0
  return (block.text ?? JSON.stringify(block)).length
}

/** The first group of a pattern in a text, or the whole match. Fails without a match. */
export function partOf(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)
  if (!found) throw new Error(`Nothing matches ${String(pattern)} in: ${text.slice(0, 3000)}`)
  return found[1] ?? found[0]
}
