import { type Element, elementsIn, oneLine } from '../dom/dom.ts'
import type { Measures } from './measure.ts'

const minNotice = 6
const maxNotice = 600
/** Elements inside one notice, such as links and emphasis. */
const maxParts = 20
const block = /^(?:p|div|li|span|section|small|td|h[2-6]|a|strong|center|dd|label|em|i|b)$/
/** A page with more cookie notices is about cookies: a policy or an article. */
const maxCookieNotices = 2

/** Removes notices that address the visitor about the site: consent, log-in, copyright, loading. */
export function dropNotices(root: Element, measures: Measures): void {
  const cookies: Element[] = []
  for (const element of elementsIn(root)) {
    const { text, h1, proses, elements } = measures.of(element)
    if (
      text < minNotice ||
      elements > maxParts ||
      text > maxNotice ||
      h1 > 0 ||
      !block.test(element.localName) ||
      !isLine(element, measures)
    )
      continue
    const words = oneLine(element.textContent)
    if (isNotice(words)) measures.remove(withBox(element, root, measures))
    else if (proses <= 1 && isCookieNotice(words)) cookies.push(element)
  }
  if (cookies.length > maxCookieNotices) return
  for (const element of cookies) if (root.contains(element)) measures.remove(withBox(element, root, measures))
}

/** True for a block without inner blocks of text. */
function isLine(element: Element, measures: Measures): boolean {
  for (let child = element.firstElementChild; child; child = child.nextElementSibling)
    if (/^(?:div|p|ul|ol|section|table|h[1-6]|dl|article)$/.test(child.localName) && measures.of(child).text > 0)
      return false
  return true
}

/** The outermost ancestor with no other text. */
function withBox(element: Element, root: Element, measures: Measures): Element {
  let box = element
  for (let up = element.parentNode; up && up !== root && up.localName !== 'body'; up = up.parentNode) {
    const { text, images, pre } = measures.of(up)
    if (text > measures.of(element).text + 15 || images + pre > 0 || /^(?:td|th|tr)$/.test(up.localName)) break
    box = up
  }
  return box
}

const purpose = '(?:reply|comment|post|answer|vote|view|see|follow|join|continue|read|download|access|add|rate|leave)'
/** Notices, each matched against a whole block of text. */
const notices = [
  String.raw`(?:©|\(c\)|copyright\s*(?:©|\(c\)|\d{4})).{0,240}`,
  `except (?:as|where) otherwise noted,? (?:the )?content (?:of|on) this .{0,400}`,
  String.raw`(?:sorry,? )?you (?:must|need to|have to|should|are required to) (?:first )?(?:be )?(?:(?:logged|signed|log|sign|register(?:ed)?)[- ]?(?:in|on|up)?|a (?:member|subscriber)|have an account) (?:in order )?(?:to ${purpose}|or (?:register|sign|log)).{0,80}`,
  String.raw`(?:please )?(?:log|sign) in (?:or|to) (?:register|join|sign up|log in|${purpose})\b.{0,80}`,
  `create an account (?:or (?:sign|log) in|to ${purpose}).{0,60}|(?:register|sign up for) a new account.{0,60}`,
  `(?:already|don['’]t) have an account.{0,60}|already a (?:member|subscriber).{0,40}|you need to be a member.{0,60}`,
  String.raw`by (?:clicking|continuing|subscribing|signing|creating|submitting|proceeding|checking|entering|providing|joining|registering|using|browsing|accepting)\b.{0,300}\b(?:agree|consent|acknowledge|accept|leaving|terms)\b.{0,300}`,
  String.raw`(?:loading|please wait)[\s.…]*(?:please wait[\s.…]*)?`,
  String.raw`(?:press \S+ enter|skip to) .{0,60}`,
  String.raw`tax(?:es)?(?: included)?[,.]? .{0,40}calculated at checkout\.?|shipping calculated at checkout\.?`,
  String.raw`(?:was|is) this (?:page |article |answer |information |section |content |review |post )?(?:helpful|useful).{0,60}`,
  String.raw`did (?:this|you find this) .{0,40}(?:help|helpful|useful)\b.{0,60}`,
  String.raw`(?:edit|improve|suggest (?:an )?edits? (?:to|on|for)|report (?:an? )?(?:issue|problem|bug|error)s? (?:with|on|about)) this (?:page|article|section|doc(?:ument)?)\b.{0,60}`,
  String.raw`(?:sign up|subscribe|join) (?:to|for|now) .{0,120}\b(?:newsletter|updates|emails?|mailing list|inbox|offers)\b.{0,120}`,
  String.raw`thanks? (?:you )?for (?:subscribing|signing up|your (?:feedback|submission|interest)).{0,80}`,
  String.raw`not open for further replies\.?|users (?:who are )?(?:currently )?(?:viewing|browsing) this (?:thread|topic|forum).{0,80}`,
  String.raw`(?:this|the) (?:field|form) is (?:for validation|protected|required).{0,120}`,
  String.raw`(?:open|close|toggle|show|hide) (?:the )?(?:table of contents|contents|menu|navigation|sidebar|search)(?: \w+)?\.?`,
  String.raw`get notified (?:by|when).{0,80}|notify me when.{0,60}|be the first to (?:know|review).{0,60}|there are no reviews yet.{0,40}`,
  String.raw`subtotal:? ?\S{0,12}|your payment information is processed.{0,200}`,
  String.raw`free (?:\w+ )?(?:shipping|delivery|returns) (?:on|for|over) .{0,60}|follow (?:us|me) on .{0,80}`,
  String.raw`(?:showing|displaying|viewing) (?:all )?[\d,.–-]+(?: ?(?:-|–|to) ?[\d,]+)? (?:of|out of) [\d,]+.{0,30}|[\d,]+ (?:results?|items|products)(?: found)?`,
  String.raw`showing (?:up to )?\d+ (?:entries|results|items|products) per page.{0,60}`,
]
const notice = new RegExp(`^(?:${notices.join('|')})$`, 'i')
/** Phrases that mark a short block as a notice. */
const noticePhrase =
  /\ball rights reserved\b|\b(?:please|must|need to|have to) (?:enable|turn on|activate|allow) java ?script\b|\b(?:this|our) (?:web ?)?(?:site|page|app|application|form|feature|video) requires java ?script\b|\bjava ?script (?:is|seems|appears|must be) (?:to be )?(?:disabled|required|enabled|not (?:enabled|available|supported))|\byour (?:shopping )?(?:cart|bag|basket) is (?:currently )?empty\b|\b(?:has been )?added to (?:your )?(?:cart|bag|basket|wishlist)\b|\bitems? (?:in|from) your (?:shopping )?(?:cart|bag|basket)\b|\bprotected by recaptcha\b/i
const maxNoticePhraseText = 250

const cookieNotice =
  /\buses? (?:[\w-]+ ){0,4}cookies\b|\buse of cookies\b|\bcookies (?:to|and|in order to|help|enable|allow|are used)\b/i
const cookieChoice =
  /\b(?:accept|agree|consent|continu\w+|learn more|more information|policy|settings|preferences|opt[- ]out|reject|ok with|improve|personali[sz]e|enhance)\b/i

/** True for text that is about the site and its visitor. */
function isNotice(text: string): boolean {
  return notice.test(text) || (text.length <= maxNoticePhraseText && noticePhrase.test(text))
}

function isCookieNotice(text: string): boolean {
  return /cookies/i.test(text) && cookieNotice.test(text) && cookieChoice.test(text)
}
