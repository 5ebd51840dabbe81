import type { settings } from '../../app/config.ts'
import type { FlagKey } from './flags.ts'

/** One way to call a command. */
export type Form = {
  /** The word after the command that chooses it, such as `add` in `gossamer keys add`. */
  verb?: string
  /** A word in brackets may be left out, one with dots repeated. */
  words?: readonly string[]
  flags?: readonly FlagKey[]
  /** Flags it does not work without. */
  needs?: readonly FlagKey[]
  about?: string
}

export type CommandEntry = {
  group: 'Serve' | 'Read the web' | 'Manage' | 'Set up'
  /** One line: what the command does. */
  about: string
  forms: readonly Form[]
  /** What is worth knowing beside it. */
  notes?: string
  /** The settings it is most often used with. */
  settings?: readonly (keyof typeof settings)[]
  examples: readonly string[]
}
