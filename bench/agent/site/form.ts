import { berth } from '../facts.ts'
import { escaped, page } from './layout.ts'

const kinds = ['Sailing boat', 'Motor boat', 'Rowing boat']
const harbours = ['Inner harbour', 'Outer harbour', 'River']

/** Faults of a submitted form, by field. */
export function complaintsOf(sent: URLSearchParams): Record<string, string> {
  const isPhone = /^\+\d{2}[\d ]{6,}$/.test(sent.get('phone') ?? '')
  return {
    ...(!sent.get('name') && { name: 'Please tell us your name.' }),
    ...(!sent.get('email')?.includes('@') && { email: 'Please give an address that we can write to.' }),
    ...(!isPhone && { phone: 'Please write the number with its country code, as in +49 431 555 0100.' }),
    ...(!sent.get('boat') && { boat: 'Please tell us the name of the boat.' }),
    ...(!kinds.includes(sent.get('kind') ?? '') && { kind: 'Please choose a kind.' }),
    ...(!harbours.includes(sent.get('harbour') ?? '') && { harbour: 'Please choose a harbour.' }),
    ...(sent.get('terms') !== 'on' && { terms: 'The terms have to be accepted.' }),
  }
}

/** The empty form, or the form with the submitted values and their faults. */
export function formPage(sent = new URLSearchParams(), complaints: Readonly<Record<string, string>> = {}): string {
  const faultText = (field: string) =>
    complaints[field] ? `<span id="${field}-error" class="error">${complaints[field]}</span>` : ''
  const marks = (field: string) => (complaints[field] ? ` aria-invalid="true" aria-describedby="${field}-error"` : '')
  const text = (field: string, label: string, type = 'text') =>
    `<label>${label} <input name="${field}" type="${type}" value="${escaped(sent.get(field) ?? '')}"${marks(field)}></label>${faultText(field)}`
  const options = kinds.map((kind) => `<option${sent.get('kind') === kind ? ' selected' : ''}>${kind}</option>`)
  const choices = harbours.map(
    (harbour) =>
      `<label><input type="radio" name="harbour" value="${harbour}"${sent.get('harbour') === harbour ? ' checked' : ''}> ${harbour}</label>`,
  )
  const isBad = Object.keys(complaints).length > 0
  return page(
    'Register a boat',
    `<h1>Register a boat</h1>${isBad ? '<p role="alert">Nothing was registered yet. Please look at the fields below.</p>' : ''}
<form method="post" action="/register" novalidate>${text('name', 'Full name')}${text('email', 'Email', 'email')}${text('phone', 'Phone', 'tel')}${text('boat', 'Name of the boat')}
<label>Kind of boat <select name="kind"><option value="">Please choose</option>${options.join('')}</select></label>${faultText('kind')}
<fieldset><legend>Where do you want to lie?</legend>${choices.join('')}</fieldset>${faultText('harbour')}
<label><input type="checkbox" name="terms"${sent.get('terms') ? ' checked' : ''}> I accept the terms of the harbour</label>${faultText('terms')}
<button>Register</button></form>`,
  )
}

export const registeredPage = (sent: URLSearchParams): string =>
  page(
    'Registered',
    `<h1>Thank you</h1><p>${escaped(sent.get('boat') ?? '')} is registered. Your berth is <b>${berth}</b>.</p><p><a href="/register">Register another boat</a></p>`,
  )
