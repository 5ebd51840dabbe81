import type { Context } from '../../api/context.ts'
import type { Remote } from '../../api/evaluate.ts'
import type { Page } from '../../api/page.ts'
import type { Arguments } from './arguments.ts'

/** What commands remember of each other. */
export type CommandState = {
  /** The page they are about. */
  pageId: string | undefined
  /** The elements of the last snapshot, by number. */
  refs: { list: Remote; pageId: string } | undefined
}
export type CommandFile = { path: string; bytes: Buffer }
export type Said = string | { text: string; file?: CommandFile; data?: unknown }
export type CommandScope = Arguments & { page: Page; context: Context; state: CommandState }
