/** How people say that something did not come, in whole or in part. */
export const lacking =
  /\b(?:few\w*|less|only|just|single|none|nothing|no|not|never|without|miss\w*|lacks?|lost|dropped|left out|skipp\w*|incomplete|empty|blank|instead|expected|stopp\w*|disappear\w*|vanish\w*|removed|where (?:is|are))\b|n['’]t\b|0 pages/i

/** How people say that something took too long. */
export const slow =
  /\b(?:slow\w*|long|ages|forever|hours|minutes?|hang\w*|pause\w*|break|one after)\b|time[ds]?[ -]?out/i

/** How people say that something failed, without saying what. */
const failing = /fail|error|wrong|broken|crash|does ?n.?t work|not work|why/i

/** Whether a text complains of anything: then it is meant for a job that shows trouble. */
export const complains = (words: string): boolean => failing.test(words) || lacking.test(words) || slow.test(words)

/** Words of either kind. */
export const either = (one: RegExp, other: RegExp): RegExp => new RegExp(`${one.source}|${other.source}`, 'i')

const wholly = (pattern: RegExp) => new RegExp(`^(?:${pattern.source})$`, 'i')
const generic = [wholly(lacking), wholly(slow)]

/** Whether these words alone say that something is wrong, and nothing of what. */
export const isGeneric = (said: string): boolean => generic.some((pattern) => pattern.test(said.trim()))
