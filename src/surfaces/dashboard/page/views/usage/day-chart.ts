import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { count, day, plural } from '../../parts/words.ts'

type Day = { date: string; creditsUsed: number }

/** Bars of credits by day. The library that draws them is loaded with the first chart. */
export function DayChart({ days }: { days: readonly Day[] }): VNode {
  const box = useRef<HTMLDivElement>(null)
  const shown = JSON.stringify(days)
  useEffect(() => {
    let end = () => {}
    let isGone = false
    async function draw(): Promise<void> {
      nameLanguage()
      const { drawChart } = await import('./draw-chart.ts')
      if (box.current && !isGone) end = drawChart(box.current, days)
    }
    void draw()
    return () => {
      isGone = true
      end()
    }
  }, [shown])
  return html`<div class="chart" role="img" aria-label=${summary(days)}><div ref=${box}></div></div>`
}

/** Under the locale C browsers report `en-US@posix`, which is no language tag, and uPlot does not load. */
function nameLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US' })
  }
}

function summary(days: readonly Day[]): string {
  const total = days.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
  const most = days.toSorted((one, other) => other.creditsUsed - one.creditsUsed)[0]
  if (!most || total === 0) return 'No credit was used in this time.'
  return `${plural(total, 'credit')} in ${plural(days.length, 'day')}, most on ${day(most.date)}: ${count(most.creditsUsed)}.`
}
