/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/* oxlint-disable unicorn/consistent-function-scoping -- each function is sent by its source text alone */

type Inner = Element & Partial<Pick<HTMLIFrameElement, 'contentDocument'>>

/** Runs in the page: what is selected, without passwords. */
export function selectedText(): string {
  const most = 1_000_000
  const field = focusIn(document) as HTMLInputElement | null
  if (field?.localName === 'input' && field.type === 'password') return ''
  if (field && /^(?:input|textarea)$/.test(field.localName) && field.selectionStart !== null)
    return field.value.slice(field.selectionStart, field.selectionEnd ?? undefined).slice(0, most)
  return String((field?.ownerDocument ?? document).getSelection() ?? '').slice(0, most)

  function focusIn(root: DocumentOrShadowRoot): Element | null {
    const active: Inner | null = root.activeElement
    const inside = active?.shadowRoot ?? active?.contentDocument
    return inside ? (focusIn(inside) ?? active) : active
  }
}

/** Runs in the page: whether the page itself takes what is pasted, as editors and fields for codes do. */
export function takesPaste(text: string): boolean {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true })
  return !(focusIn(document) ?? document.documentElement).dispatchEvent(event)

  function focusIn(root: DocumentOrShadowRoot): Element | null {
    const active: Inner | null = root.activeElement
    const inside = active?.shadowRoot ?? active?.contentDocument
    return inside ? (focusIn(inside) ?? active) : active
  }
}

/** Runs in the page: the kind of keyboard for what has focus; null where nothing can be typed. */
export function keyboardMode(): string | null {
  const field = focusIn(document) as HTMLInputElement | null
  if (!field || field.readOnly || field.disabled) return null
  if (field.localName === 'textarea' || field.isContentEditable) return field.inputMode || 'text'
  const modes: Record<string, string> = { number: 'decimal', tel: 'tel', email: 'email', url: 'url', search: 'search' }
  const isTyped = field.localName === 'input' && /^(?:text|password|number|tel|email|url|search)$/.test(field.type)
  return isTyped ? field.inputMode || (modes[field.type] ?? 'text') : null

  function focusIn(root: DocumentOrShadowRoot): Element | null {
    const active: Inner | null = root.activeElement
    const inside = active?.shadowRoot ?? active?.contentDocument
    return inside ? (focusIn(inside) ?? active) : active
  }
}
