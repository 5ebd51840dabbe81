/// <reference lib="dom" />
import type { PageNode, PageTools } from './snapshot-tools.ts'

/** Runs in the page: texts, and what stands in them, become lines. */
export function addRuns(tools: PageTools): void {
  tools.grouped = (items) => {
    const nodes: PageNode[] = []
    let run: (string | PageNode)[] = []
    const flush = () => {
      nodes.push(...lineOf(run))
      run = []
    }
    for (const item of items) {
      if (item === null) flush()
      else if (typeof item === 'object' && item.children) {
        flush()
        nodes.push(item)
      } else run.push(item)
    }
    flush()
    return nodes
  }

  function lineOf(run: readonly (string | PageNode)[]): PageNode[] {
    const parts: (string | PageNode)[] = []
    for (const item of run) {
      const last = parts.at(-1)
      if (typeof item === 'string' && typeof last === 'string') parts[parts.length - 1] = last + item
      else parts.push(item)
    }
    const told = parts
      .map((part) => (typeof part === 'string' ? tools.clean(part) : part))
      .filter((part) => part !== '')
    const only = told[0]
    if (told.length === 1 && typeof only === 'string') return [{ role: 'text', name: only }]
    // Marks between links, such as a bar or a comma, are no text.
    const nodes = told.filter((part) => typeof part === 'object')
    const text = told.filter((part) => typeof part === 'string').join('')
    if (!/[\p{L}\p{N}]/u.test(text)) return nodes
    // A sentence with links in it is one line; a row of buttons with a word between them is not.
    if (nodes.length <= 3 || text.length >= nodes.length * 20) return [{ role: 'text', parts: told }]
    return told.map((part) => (typeof part === 'string' ? { role: 'text', name: part } : part))
  }
}
