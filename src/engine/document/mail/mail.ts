import type { Address, Attachment, Email } from 'postal-mime'
import { innerHtml } from '../../html/dom/dom-tree.ts'
import { parsePage } from '../../html/parse/parse-html.ts'
import type { Converter } from '../converter.ts'
import { element, escapeHtml, heading, htmlOfText, openTag, paragraph } from '../markup/inline-markup.ts'
import { refuse } from '../refuse.ts'

/**
 * Reads a mail (RFC 5322) or a saved web page (MHTML, RFC 2557): its headers, its body, and a list of its attachments,
 * whose content is not read. Of a body in HTML and plain text, the HTML is used.
 */
export const readMail: Converter = async ({ bytes }) => {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50 }).catch((cause: unknown) =>
    refuse('The mail is nested too deeply or its headers are too long.', { cause }),
  )
  const { subject, from, date } = mail
  if (!mail.headers.length && !mail.html && !mail.text) refuse('The file contains no mail.')
  const author = from && nameOf(from)
  return {
    html: htmlOf(mail),
    metadata: { ...(subject && { title: subject }), ...(author && { author }), ...(date && { publishedTime: date }) },
  }
}

function htmlOf(mail: Email): string {
  const { subject, date, html, text } = mail
  const address = headerOf(mail, 'snapshot-content-location') ?? headerOf(mail, 'content-location')
  const base = address && /^https?:/i.test(address) ? address : undefined
  const lines = [
    ['From', shown(mail.from ? [mail.from] : [])],
    ['To', shown(mail.to)],
    ['Cc', shown(mail.cc)],
    ['Date', date],
    ['Address', base],
  ].flatMap(([name, value]) => (name && value ? [`${element('b', name)}: ${escapeHtml(value)}`] : []))
  // A saved page has its own heading.
  const isTitled = base !== undefined && /<h1\b/i.test(html ?? '')
  const files = mail.attachments.filter((file) => isListed(file, base))
  return [
    base ? openTag('base', { href: base }) : '',
    isTitled ? '' : heading(1, escapeHtml(subject ?? '')),
    paragraph(lines.join('<br>')),
    html ? element('div', bodyOf(html)) : htmlOfText(text ?? ''),
    files.length > 0 ? heading(2, 'Attachments') + element('ul', files.map(fileOf).join('')) : '',
  ].join('\n')
}

const headerOf = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value.trim()

const nameOf = ({ name, address }: Address) => name || address
const shown = (people: readonly Address[] = []): string =>
  people
    .map(({ name, address, group }) =>
      group ? `${name}: ${shown(group)}` : name && address ? `${name} <${address}>` : name || address,
    )
    .join(', ')

/** False for the pictures and styles of a saved page, which are not attachments. */
const isListed = ({ disposition, related, filename }: Attachment, page: string | undefined) =>
  disposition === 'attachment' || !(related || (page !== undefined && filename === null))

function fileOf({ filename, mimeType, content }: Attachment): string {
  const bytes = typeof content === 'string' ? content.length : content.byteLength
  return element('li', escapeHtml(`${filename ?? 'without a name'} (${mimeType}, ${bytes} bytes)`))
}

/** Returns the body of the page that a mail contains. Pictures that are parts of the mail become placeholders. */
function bodyOf(html: string): string {
  return innerHtml(parsePage(html).body).replace(/(<img\b[^<>]*?\ssrc=")(?:cid|data):[^"]*/gi, '$1data:,')
}
