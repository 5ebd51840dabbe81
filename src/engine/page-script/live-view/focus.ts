import { type FieldProperties, isHtml } from '../dom/kinds.ts'
import { focusedIn } from '../dom/tree.ts'

const maxText = 1_000_000
const keyboardModes: Record<string, string> = {
  number: 'decimal',
  tel: 'tel',
  email: 'email',
  url: 'url',
  search: 'search',
  text: 'text',
  password: 'text',
}

/** What is selected, without passwords. */
export function selectedText(): string {
  const field = focusedIn(document)
  if (isHtml(field, 'input') && field.type === 'password') return ''
  if (isHtml(field, 'input', 'textarea') && field.selectionStart !== null)
    return field.value.slice(field.selectionStart, field.selectionEnd ?? undefined).slice(0, maxText)
  return String((field?.ownerDocument ?? document).getSelection() ?? '').slice(0, maxText)
}

/** Offers a text to the page's own paste handler, as editors and fields for codes have one; false when there is none. */
export function pasteText(text: string): boolean {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true })
  return !(focusedIn(document) ?? document.documentElement).dispatchEvent(event)
}

/** The `inputmode` of what has the focus; null where nothing can be typed. */
export function keyboardMode(): string | null {
  const element = focusedIn(document)
  const field: FieldProperties = element ?? {}
  if (!element || field.readOnly || field.disabled) return null
  if (isHtml(element, 'textarea') || field.isContentEditable) return field.inputMode || 'text'
  const mode = isHtml(element, 'input') ? keyboardModes[element.type] : undefined
  return mode === undefined ? null : field.inputMode || mode
}
