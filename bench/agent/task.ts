import type { Ours } from './ours.ts'
import type { Peer } from './peer.ts'

/** Runs a piece of Playwright code, whose `return` is the answer. */
export type Run = (code: string) => Promise<string>

/** A task in a browser, and the steps of a client that makes no mistakes but knows only what it has been shown. */
export type Task = {
  name: string
  /** Instructions for the client. */
  wording: string
  acts(ours: Ours): Promise<unknown>
  refs(peer: Peer): Promise<unknown>
  /** The same code for both contestants. */
  code(run: Run): Promise<unknown>
  /** Expected answer, and the submission that the site must have accepted. */
  answer: unknown
  recorded?: Readonly<Record<string, string>>
}
