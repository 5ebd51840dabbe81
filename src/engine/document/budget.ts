/** What may be spent on one file, so that a small one cannot take the machine. Readers ask, and answer with what they have. */
export type Budget = {
  /** Whether it is used up; who asks and is told so leaves out the rest. It stays so. */
  isSpent(): boolean
  /** The same of half of it: for what comes before the content and only serves it. */
  isHalfSpent(): boolean
  /** Whether anything was left out. */
  hasCut(): boolean
  /** More time for work that has proved to be worth it, up to a limit. */
  earn(cpuMs: number): void
  /** Says that these many pages can be read, should the next one end the process. */
  mark(pages: number): void
  /** Other limits hold from here on. */
  lift(): void
}

/** Where a reader cannot ask: the process ends at these, whatever it does. */
export type HardLimits = { cpuMs: number; rssMb: number }

type BudgetSetup = {
  /** Size of the file. */
  bytes: number
  limit(limits: HardLimits): void
  mark(pages: number): void
}

/** What reading may take, and a little more for each megabyte of the file. */
const [readingMs, msPerMb] = [1000, 250]
/** Bytes, the text made of them and its characters are in memory at once; of a small file that is nothing. */
const [readingMb, smallMb, mbPerMb] = [230, 2, 12]
/** What was read is still to be written. */
const [writingMs, writingMb] = [700, 70]
/** Pages earn time as far as bytes pay for it, so that a small file stays cheap. */
const [maxEarnedMs, earnedMsPerMb] = [4000, 4000]

/** Counts the CPU time and memory of this process, which should do nothing else. */
export function startBudget({ bytes, limit, mark }: BudgetSetup): Budget {
  const fileMb = bytes / 1_000_000
  const start = { cpu: cpuMs(), rss: rssMb() }
  const lastMb = readingMb + mbPerMb * Math.max(0, fileMb - smallMb)
  let allowedMs = readingMs + msPerMb * fileMb
  let [earnedMs, isLifted, isSpent, hasCut] = [0, false, false, false]
  const isOver = (share: number) =>
    cpuMs() - start.cpu > allowedMs * share || holdsMoreThan(start.rss + Math.max(0, lastMb - start.rss) * share)
  const move = () => limit({ cpuMs: start.cpu + allowedMs + writingMs, rssMb: lastMb + writingMb })
  move()
  return {
    isSpent() {
      isSpent ||= !isLifted && isOver(1)
      hasCut ||= isSpent
      return isSpent
    },
    isHalfSpent() {
      const isHalf = !isLifted && isOver(0.5)
      hasCut ||= isHalf
      return isHalf
    },
    hasCut: () => hasCut,
    earn(ms) {
      const more = Math.min(ms, Math.min(maxEarnedMs, earnedMsPerMb * fileMb) - earnedMs)
      earnedMs += more
      allowedMs += more
      if (!isLifted) move()
    },
    mark,
    lift() {
      isLifted = true
      limit({ cpuMs: Infinity, rssMb: Infinity })
    },
  }
}

export const boundless: Budget = {
  isSpent: () => false,
  isHalfSpent: () => false,
  hasCut: () => false,
  earn: () => {},
  mark: () => {},
  lift: () => {},
}

/** Of all threads: collecting garbage is part of the cost. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Memory that nothing needs any more does not count. */
function holdsMoreThan(mb: number): boolean {
  if (rssMb() <= mb) return false
  globalThis.gc?.()
  return rssMb() > mb
}

const rssMb = () => process.memoryUsage.rss() / 1_000_000
