import { plainLine } from '../../util/plain-markdown.ts'
import { countWords } from '../../util/words.ts'
import { codeReader, maxLine } from '../../util/markdown-blocks.ts'

/** Lines that belong to the site rather than to the page's content. */
const boilerplate: readonly RegExp[] = [
  /\b(accept|reject|manage|allow|decline)\b.{0,30}\bcookies?\b/i,
  /\bwe (and our partners )?use cookies\b/i,
  /\bcookie (policy|settings|preferences|consent)\b/i,
  /\b(subscribe|sign up|join)\b.{0,60}\b(newsletter|mailing list|inbox|updates|emails?)\b/i,
  /\bnewsletter\b.{0,40}\b(sign|subscribe|email)/i,
  /^(share|tweet|pin|email|print|copy link|whatsapp|facebook|twitter|linkedin|reddit|telegram|x)( (this|on|via|article|story|facebook|twitter|x|linkedin|post))*[:!]?$/i,
  /^share (this|on|via)\b.{0,40}$/i,
  /^follow us\b.{0,40}$/i,
  /^(related|recommended|popular|trending|latest|more)( (articles?|posts?|stories|news|reading|from|content|topics))+\b.{0,40}$/i,
  /^(you (may|might) also like|read (more|next|also)|up next|don.t miss|keep reading|more from)\b.{0,60}$/i,
  /^(advertisement|sponsored( content)?|ad)$/i,
  /^(leave a (comment|reply)|post a comment|\d+ (comments?|replies)|comments?( \(\d+\))?|no comments( yet)?|be the first to comment)\b.{0,40}$/i,
  /^(home|blog|news)\s*([>›»/|]\s*[^\s>›»/|][^>›»/|]{0,60})+$/i,
  /©|\ball rights reserved\b/i,
  /^(privacy policy|terms (of (use|service)|and conditions)|sitemap|back to top|skip to (main )?content|log ?in|sign ?in|sign ?up|register|search|menu|close)$/i,
  /^\d+ min(ute)?s? read$/i,
]
/** Headings of sections that follow an article. */
const afterText =
  /^(related|recommended|you (may|might) also|more (from|stories|articles|posts|on)|popular|trending|latest (news|posts|articles)|comments?|leave a|share this|about the author|subscribe|newsletter|sign up|read next|up next|recent posts)\b/i
const longestLine = 220
const linkPattern = /!?\[[^\][]*\]\([^)]{0,2000}\)/g

/**
 * Removes site text around the content of a page: banners, share buttons, newsletters, and the sections of related
 * articles and comments at the end. Removes lines and changes none; code stays.
 */
export function withoutBoilerplate(markdown: string): string {
  const lines = markdown.split('\n')
  const content: string[] = []
  const isCode = codeReader()
  const state = { dropped: 0 }
  for (const [at, line] of lines.entries()) {
    const isFixed = isCode(line) || /^[\s>]*\|/.test(line)
    if (isFixed || isKept(line, at > lines.length / 2, state)) content.push(line)
  }
  return content
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** `dropped` is the heading level of the section being dropped, or 0. */
function isKept(line: string, isLate: boolean, state: { dropped: number }): boolean {
  const text = plainLine(line.slice(0, maxLine))
  const level = /^\s{0,3}(#{1,6})\s/.exec(line)?.[1]?.length ?? 0
  if (isLate && level > 0 && text.length < 60 && afterText.test(text)) state.dropped ||= level
  else if (endsSection(level, state.dropped) || isProse(line, text)) state.dropped = 0
  return state.dropped === 0 && !isBoilerplate(text)
}

const isBoilerplate = (text: string) =>
  text !== '' && text.length < longestLine && boilerplate.some((pattern) => pattern.test(text))

const endsSection = (level: number, dropped: number) => level > 0 && level <= dropped

/** True for a long paragraph that is not a list of links: it ends a dropped section. */
const isProse = (line: string, text: string) =>
  text.length > 200 && (line.slice(0, maxLine).match(linkPattern)?.length ?? 0) < 2

/** True if cleaning kept at least half of the words of a page. */
export const isMostlyKept = (cleaned: string, page: string): boolean => countWords(cleaned) * 2 >= countWords(page)
