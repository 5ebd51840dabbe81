import { kindName } from '../../parts/words.ts'
import { inputFor } from '../jobs/links.ts'

/** A call that failed, or a page of a job. */
export type Failure = { endpoint: string; id: string; target: string | null; page: string; code: string }

/** The question, in the words that a person would use. */
export function questionOf({ endpoint, target, page, code }: Failure): string {
  const job = `my ${kindName(endpoint)}${target === null ? '' : ` of ${target}`}`
  const what = page === '' ? job : `${page}, a page of ${job},`
  return `Why did ${what} fail${code === '' ? '' : ` with ${code}`}?`
}

/** The call that failed with what should help; undefined where its own input is not known well enough. */
export function repairedInput({ endpoint, target, page }: Failure, fix: object): object | undefined {
  // Of a batch only a page is known.
  const input = endpoint === 'batch_scrape' && page !== '' ? { urls: [page] } : inputFor({ endpoint, target })
  return input && { ...input, ...fix }
}
