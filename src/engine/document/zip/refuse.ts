import { fail, type FailureFacts } from '../../../kernel/error.ts'

/** Fails because of the file itself: broken, locked, too large, or of a kind that is not read. */
export function refuse(message: string, { hint, cause }: Pick<FailureFacts, 'hint' | 'cause'> = {}): never {
  return fail('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message,
    hint: hint ?? 'Open the file in the program that made it, save it again, and scrape that copy.',
    cause,
  })
}
