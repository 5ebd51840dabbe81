const reports = new Map()
const line = document.createElement('p')
document.body.append(line)

/** Shows the last value of each control, and how many values the control has reported. */
export function report(control, value) {
  const { count = 0 } = reports.get(control) ?? {}
  reports.set(control, { value, count: count + 1 })
  line.textContent = Array.from(reports, ([name, each]) => `${name} ${each.value} ×${each.count}`).join(', ')
}

export const fruits = ['Apple', 'Banana', 'Cherry']
