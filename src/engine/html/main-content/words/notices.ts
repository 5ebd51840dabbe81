import { noticesAbroad } from './other-languages.ts'

const purpose = '(?:reply|comment|post|answer|vote|view|see|follow|join|continue|read|download|access|add|rate|leave)'
/** Notices, each matched against a whole block of text. */
const notices = [
  String.raw`(?:©|\(c\)|copyright\s*(?:©|\(c\)|\d{4})).{0,240}`,
  String.raw`\(?(?:photo(?:graph|grapher)?|foto(?:graf)?|bild(?:nachweis|quelle|rechte)?|image|picture|illustration|crédits?|crédito)s?(?: ?(?:credits?|courtesy|source))?(?: by| von)? ?[:/©] ?.{2,80}|(?:photo|image|picture) (?:credit|courtesy|by) .{2,80}`,
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
export function isNotice(text: string): boolean {
  return (
    notice.test(text) || noticesAbroad.test(text) || (text.length <= maxNoticePhraseText && noticePhrase.test(text))
  )
}

export function isCookieNotice(text: string): boolean {
  return text.toLowerCase().includes('cookies') && cookieNotice.test(text) && cookieChoice.test(text)
}
