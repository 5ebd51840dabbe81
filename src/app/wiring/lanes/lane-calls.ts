import type { CreditHold } from '../../../contracts/account.ts'
import type { BrowsePage, Exchange, PageRequest } from '../../../contracts/fetch.ts'
import type { ModelRequest } from '../../../contracts/model.ts'
import type { DocumentRequest, FindMedia, OfTeam, ReadRequest } from '../../../contracts/page-content.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { RenderRequest } from '../../../contracts/render.ts'

/** No page asks for text while it comes. */
type Question = Omit<ModelRequest, 'signal'>
type MediaRequest = Omit<Parameters<FindMedia>[0], 'signal'>
type Parts = Pick<Ports, 'renderPage' | 'readHtml' | 'readDocument' | 'findMedia' | 'model' | 'account'>

/** What a lane leaves to the main thread: what is heavy, what may harm it, and what there is one of for all teams. */
export function laneCalls(ports: Parts & { browsePage: BrowsePage }, show: (exchange: Exchange) => Promise<unknown>) {
  const { account, model } = ports
  /** Jobs whose credits a lane holds back: it may end before it gives them back. */
  const holding = new Set<string>()
  return {
    renderPage: (request: Omit<RenderRequest, 'signal'>, signal: AbortSignal) =>
      ports.renderPage({ ...request, signal }),
    browsePage: (request: Omit<PageRequest, 'signal' | 'mayFollow'>, signal: AbortSignal) =>
      ports.browsePage({ ...request, signal }),
    readHtml: (request: ReadRequest & OfTeam, signal: AbortSignal) => ports.readHtml(request, signal),
    readDocument: (request: DocumentRequest, signal: AbortSignal) => ports.readDocument(request, signal),
    findMedia: (request: MediaRequest, signal: AbortSignal) => ports.findMedia({ ...request, signal }),
    askForText: (question: Question, signal: AbortSignal) => model.text({ ...question, signal }),
    askForObject: (question: Question & { schema: object }, signal: AbortSignal) =>
      model.object({ ...question, signal }),
    limitsOf: (teamId: string) => account.limitsOf(teamId),
    load: (teamId: string) => account.load(teamId),
    enter: (teamId: string, signal: AbortSignal) => account.enter(teamId, signal),
    async holdCredits(hold: CreditHold) {
      const end = await account.holdCredits(hold)
      if (!end) return undefined
      const { jobId } = hold
      holding.add(jobId)
      return () => {
        if (holding.delete(jobId)) void account.releaseCredits(jobId).catch(() => {})
        end()
      }
    },
    releaseCredits(jobId: string) {
      holding.delete(jobId)
      return account.releaseCredits(jobId)
    },
    show: async (exchange: Exchange) => void (await show(exchange)),
  }
}

export type LaneCalls = ReturnType<typeof laneCalls>
