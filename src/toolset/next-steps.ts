import type { ErrorCode } from '../kernel/error.ts'

const opened = [
  'Open one with {browser_create}, or list the open ones with {activity}.',
  'Open one with {browser_create}.',
  'List the open ones with {activity}.',
  '{browser_act} without sessionId opens one.',
  '{browser_execute} without sessionId opens one.',
  'Scrape the page with {scrape}, and {interact} with its scrapeId.',
] as const
const openedAnew = [
  'Open a new one with {browser_create}, or scrape the page again and use the new scrapeId.',
  '{browser_act} without sessionId opens a new one.',
  '{browser_execute} without sessionId opens a new one.',
  'Scrape the page again with {scrape}, and {interact} with the new scrapeId.',
] as const

/** What an agent does next about an error whose usual hint names tools: it may have been offered others, and no routes. */
export const nextSteps: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  JOB_NOT_FOUND: ['Job ids expire. List recent ones with {activity}.', 'Job ids expire. Begin the job again.'],
  MONITOR_NOT_FOUND: ['List the monitors with {monitor} and action list.'],
  SESSION_NOT_FOUND: opened,
  SESSION_GONE: openedAnew,
  SESSION_FAILED: openedAnew.map((way) => `Call again. If the session is gone: ${way}`),
  SESSION_LIMIT: [
    'Close one of details.sessions with {browser_close}, or wait until one ends.',
    'Wait until one ends.',
  ],
}
