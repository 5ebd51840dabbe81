import type { AnyOperation } from '../operation.ts'

/** A task that people start by a command of their client. */
export type PromptText = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptField[]
  /** Without these tools it is not offered. */
  readonly needs: readonly string[]
  /**
   * A line each, with tools and arguments in braces; one that names what is not there is left out. Of several ways to say a line the
   * first is taken that can be said.
   */
  readonly steps: readonly (string | readonly string[])[]
}
export type PromptField = { readonly name: string; readonly description: string; readonly required?: true }

/** Where the ids come from that an argument of this name can have. */
export type IdSource = {
  readonly operation: AnyOperation
  readonly input: object
  /** Newest first. */
  idsIn(output: object): readonly string[]
}
