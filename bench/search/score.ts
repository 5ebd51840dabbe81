/** Quality of a list of answers; each figure is from 0 to 1. */
export type Quality = { ndcg: number; recall: number; reciprocalRank: number }

const counted = 10

/** nDCG@10 with gains 2^grade − 1 (Järvelin, Kekäläinen 2002), recall@10, and the reciprocal rank of the best page. */
export function qualityOf(answers: readonly number[], grades: ReadonlyMap<number, number>): Quality {
  const shown = answers.slice(0, counted)
  const best = Math.max(...grades.values())
  const rank = shown.findIndex((page) => grades.get(page) === best)
  return {
    ndcg:
      gain(shown.map((page) => grades.get(page) ?? 0)) /
      gain([...grades.values()].toSorted((a, b) => b - a).slice(0, counted)),
    recall: shown.filter((page) => grades.has(page)).length / Math.min(grades.size, counted),
    reciprocalRank: rank === -1 ? 0 : 1 / (rank + 1),
  }
}

const gain = (grades: readonly number[]) =>
  grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
