import type { AnyOperation } from '../operation.ts'

/** What a function of the library is called: `crawl_status` is `crawlStatus`. */
export const functionName = (operation: string) =>
  operation.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Whether it begins a job that brings pages, which are read by functions of their own. */
export const bringsPages = ({ follow }: AnyOperation): boolean => follow?.answers === 'pages'
