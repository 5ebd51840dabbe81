import type { z } from 'zod'
import { dotted, type Issue, readableIssues } from '../../src/kernel/issues.ts'

/** Returns the issues of an error, with paths in dotted notation: `formats[0].type`. */
export function writtenIssues(error: z.ZodError): (Omit<Issue, 'path'> & { path: string })[] {
  return readableIssues(error).map((issue) => ({ ...issue, path: dotted(issue.path) }))
}
