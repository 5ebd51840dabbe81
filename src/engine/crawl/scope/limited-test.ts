import { createContext, Script } from 'node:vm'

const limitMs = 50
const maxTimeouts = 3
/** The same links stand on page after page, and a run under a limit costs a hundred times an ordinary one. */
const maxRemembered = 2_000

/** The error comes from the realm of the script, where `Error` is another one. */
const isExpired = (cause: unknown) => (cause as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

export type Expression = { test(text: string): boolean }

/**
 * A test of texts with an expression that may take for ever. A text that takes longer than 50 ms does not match; after
 * three such texts none does, and `giveUp` is called, once.
 */
export function limitedTest(compile: () => Expression, giveUp: () => void): (text: string) => boolean {
  const script = new Script('expression.test(text)')
  const globals = { expression: compile(), text: '' }
  const context = createContext(globals)
  const known = new Map<string, boolean>()
  let timeouts = 0
  const run = (text: string): boolean | undefined => {
    globals.text = text
    try {
      return script.runInContext(context, { timeout: limitMs }) === true
    } catch (cause) {
      // Other errors are of the expression and the text (its stack, its size), and come again.
      if (!isExpired(cause)) return false
      // It was stopped anywhere, perhaps half through a change of what it remembers.
      globals.expression = compile()
      return undefined
    }
  }
  return (text) => {
    if (timeouts >= maxTimeouts) return false
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    // The limit is one of real time: a busy machine can use it up, hardly twice in a row.
    const result = run(text) ?? run(text)
    if (result === undefined) {
      timeouts += 1
      if (timeouts === maxTimeouts) giveUp()
    }
    if (known.size >= maxRemembered) known.clear()
    known.set(text, result ?? false)
    return result ?? false
  }
}
