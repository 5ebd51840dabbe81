/** A fenced block of a page. */
export type Block = {
  language: string
  code: string
  /** Line number of the first line of code, from 1. */
  line: number
  notRun: readonly Exception[]
  needsBrowser: boolean
}
/** A command that cannot run here, identified by its beginning; an empty one stands for the whole block. */
export type Exception = { begins: string; reason: string }

/**
 * The blocks of a page. Comments before a block mark what is not run, and why:
 * `<!-- not run: REASON -->`, `<!-- not run "BEGINNING OF A COMMAND": REASON -->`, `<!-- needs a browser -->`.
 */
export function blocksIn(page: string): Block[] {
  const lines = page.split('\n')
  const blocks: Block[] = []
  let comments: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, language] = /^```(\w*)$/.exec(line) ?? []
    if (language === undefined) {
      if (line.trim() !== '') comments = line.startsWith('<!--') ? [...comments, line] : []
      continue
    }
    const end = lines.indexOf('```', at + 1)
    blocks.push({ language, code: lines.slice(at + 1, end).join('\n'), line: at + 2, ...marked(comments) })
    comments = []
    at = end < 0 ? lines.length : end
  }
  return blocks
}

function marked(comments: readonly string[]): Pick<Block, 'notRun' | 'needsBrowser'> {
  return {
    notRun: comments.flatMap((comment) => {
      const [, begins = '', reason] = /^<!-- not run(?: "([^"]+)")?: (.+) -->$/.exec(comment) ?? []
      return reason === undefined ? [] : [{ begins, reason }]
    }),
    needsBrowser: comments.includes('<!-- needs a browser -->'),
  }
}

/** The page with its code blocks blanked out, so line numbers are kept. */
export function proseOf(page: string): string {
  return page.replace(/^```\w*\n[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''))
}
