import { fileURLToPath } from 'node:url'
import { failure, unpackThrown } from '../../kernel/error.ts'
import { createFairSemaphore } from '../../util/semaphore.ts'
import { createCrew, threadUrl } from '../../util/threads.ts'
import { type ConverterChild, type Outcome, startChild } from './converter-child.ts'
import type { ConvertResponse, ConvertTask } from './file-pipe.ts'
import type { Converted } from './converter.ts'
import type { DocumentKind, OfTeam } from '../../contracts/page-content.ts'

export type PoolLimits = {
  /** Files converted at once; further ones wait, but the first of a team of which none is converted. */
  maxChildren?: number
  /** Memory of one child in all, MB. */
  maxMemoryMb?: number
  /** How long a child waits for the next file before it ends, ms. */
  idleMs?: number
  /** The program a child runs. */
  program?: URL
  /** The longest answer that is received from a child. */
  maxAnswerBytes?: number
}

/** More than is made of the largest file; a child that announces more is none of ours any more. */
const mostAnswered = 256 * 2 ** 20

export type ConverterPool = {
  /** Fails as the converter does; with the signal's reason when it aborts; SCRAPE_UNSUPPORTED_FILE_ERROR when the child dies of the file. */
  convert(task: ConvertTask & OfTeam, signal: AbortSignal): Promise<Converted>
  /** Ends all children and whatever they do. */
  close(): void
}

/** Processes that convert files. A file can take all memory and time of its process, and nothing else. */
export function createConverterPool(limits: PoolLimits = {}): ConverterPool {
  const { maxChildren = 2, maxMemoryMb = 768, idleMs = 15_000, maxAnswerBytes = mostAnswered } = limits
  const program = fileURLToPath(limits.program ?? threadUrl('convert-child', import.meta.url))
  const turns = createFairSemaphore({ usual: maxChildren })
  const closing = new AbortController()
  const crew = createCrew({ start: () => startChild({ program, maxMemoryMb, maxAnswerBytes }), idleMs })

  async function answerOf(child: ConverterChild, task: ConvertTask, signal: AbortSignal) {
    try {
      const outcome = await child.convert(task, signal)
      if (outcome.answer && !outcome.answer.isWorn && child.isThere()) crew.rest(child)
      else child.terminate()
      return outcome
    } catch (thrown) {
      child.terminate()
      throw thrown
    }
  }

  return {
    async convert({ teamId, ...task }, given) {
      const signal = AbortSignal.any([given, closing.signal])
      const leave = await turns.acquire(teamId, signal)
      try {
        const used = crew.wake()
        const known = used && (await answerOf(used, task, signal))
        // One that ended while it waited says nothing of this file.
        const { answer, pagesRead } = known && hasBegun(known) ? known : await answerOf(crew.start(), task, signal)
        if (answer || !pagesRead) return resultOf(answer, task.kind)
        const again = await answerOf(crew.start(), beginningOf(task, pagesRead), signal)
        return withNote(resultOf(again.answer, task.kind), pagesRead)
      } finally {
        leave()
      }
    },
    close() {
      closing.abort(new Error('the program ends'))
      void crew.close()
    },
  }
}

const hasBegun = ({ answer, pagesRead }: Outcome) => answer !== undefined || pagesRead !== undefined

/** The pages before the one that ended the process. */
const beginningOf = ({ kind, source }: ConvertTask, maxPages: number): ConvertTask => ({
  kind,
  source: { ...source, pdf: { ...source.pdf, maxPages } },
})

function withNote(converted: Converted, pages: number): Converted {
  const note = `Only the first ${pages === 1 ? 'page was' : `${pages} pages were`} read, because the next one takes more time or memory than one file may have.`
  return { ...converted, warning: [note, converted.warning].filter(Boolean).join(' ') }
}

function resultOf(answer: ConvertResponse | undefined, kind: DocumentKind): Converted {
  if (!answer) throw diedOf(kind)
  if (answer.thrown) throw unpackThrown(answer.thrown)
  return answer.converted
}

const diedOf = (kind: DocumentKind) =>
  failure('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The ${kind} file takes more time or memory than one file may have.`,
    hint: 'Use a smaller file; for a PDF, set maxPages of the pdf parser.',
  })
