import { useId } from 'react'
import { useWords } from '../../app-context.ts'
import type { Dictionary } from '../../i18n/index.ts'
import { IconButton } from '../../parts/button.tsx'
import { Cells, type ShownColumns } from '../../parts/columns.tsx'
import { TextField } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import type { ListedModel } from '../../../shared/control/provider-edit.ts'
import { countOf } from '../count.ts'
import { modelField, priceDraft, priceFields, type ModelDraft, type PriceField } from './draft.ts'
import { useProblemText } from './problem-text.ts'
import { usualPrice } from './usual-price.ts'
import type { ProviderForm } from './use-provider-form.ts'

type Say = Dictionary['providerForm']
interface Line {
  model: ModelDraft
  /** as its provider lists it; null: it was not asked, or does not list it */
  listed: ListedModel | null
  usual: ReturnType<typeof usualPrice>
  /** ids of the sentence that says what is wrong with it */
  windowWrong: string | null
  priceWrong: string | null
  onPut: (change: Partial<ModelDraft>) => void
  onRemove: () => void
}

/** A model: its context, its abilities, its prices. A field that is not set shows the known value. */
export const modelColumns = (prices: readonly PriceField[]): ShownColumns<Line, Say> => [
  { head: (t) => t.model, title: ({ model, listed }) => listed?.name ?? model.id, cell: ({ model }) => model.id },
  {
    head: (t) => t.context,
    right: true,
    cell: ({ model, listed, windowWrong, onPut }, t) => (
      <TextField
        label={t.contextOf(model.id)}
        hideLabel
        boxClass="num wide"
        value={model.contextWindow}
        placeholder={listed?.contextWindow ? countOf(listed.contextWindow) : t.unknown}
        inputMode="numeric"
        wrongIn={windowWrong}
        onChange={(e) => onPut({ contextWindow: e.currentTarget.value })}
      />
    ),
  },
  {
    head: (t) => t.vision,
    cell: ({ model, onPut }, t) => (
      <Can label={t.visionOf(model.id)} value={model.vision} onChange={(vision) => onPut({ vision })} />
    ),
  },
  {
    head: (t) => t.thinking,
    cell: ({ model, onPut }, t) => (
      <Can label={t.thinkingOf(model.id)} value={model.thinking} onChange={(thinking) => onPut({ thinking })} />
    ),
  },
  ...prices.map((field): ShownColumns<Line, Say>[number] => ({
    head: (t) => t.priceColumns[field],
    right: true,
    cell: ({ model, usual, priceWrong, onPut }, t) => (
      <TextField
        label={t.priceOf(model.id, t.priceColumns[field])}
        hideLabel
        boxClass="num"
        value={model.price[field]}
        placeholder={String(usual?.price[field] ?? t.unknown)}
        inputMode="decimal"
        wrongIn={priceWrong}
        onChange={(e) => onPut({ price: { ...model.price, [field]: e.currentTarget.value } })}
      />
    ),
  })),
  { head: (t) => t.priceFrom, tone: 't2', cell: (line, t) => <PriceFrom line={line} t={t} /> },
  {
    head: () => null,
    cell: ({ model, onRemove }, t) => <IconButton icon="x" small name={t.removeModel(model.id)} onClick={onRemove} />,
  },
]

function PriceFrom({ line: { model, usual, onPut }, t }: { line: Line; t: Say }) {
  if (priceFields.some((field) => model.price[field].trim() !== '')) return t.priceSet
  if (!usual) return <span className="needs">{t.priceUnknown}</span>
  return (
    <>
      {usual.taken === null ? t.priceListed : t.priceOfList(usual.taken)}{' '}
      <button
        type="button"
        className="link meta"
        aria-label={t.takeOf(model.id)}
        onClick={() => onPut({ price: priceDraft(usual.price) })}
      >
        {t.priceTake}
      </button>
    </>
  )
}

interface RowProps extends Pick<Line, 'model' | 'listed' | 'onPut' | 'onRemove'> {
  columns: ShownColumns<Line, Say>
  form: ProviderForm
}

export function ModelRow({ columns, form, ...row }: RowProps) {
  const { w } = useWords()
  const textOf = useProblemText(form)
  const problemId = useId()
  const { id } = row.model
  const windowWrong = textOf(modelField(id, 'contextWindow'))
  const priceWrong = textOf(modelField(id, 'price'))
  const wrong = windowWrong ?? priceWrong
  const line: Line = {
    ...row,
    usual: usualPrice(row.listed, form.base, id),
    windowWrong: windowWrong && problemId,
    priceWrong: priceWrong && problemId,
  }
  return (
    <>
      <tr>
        <Cells columns={columns} row={line} say={w.providerForm} />
      </tr>
      {wrong && (
        <tr className="m-wrong">
          <td colSpan={columns.length}>
            <p id={problemId} className="meta failed" role="alert">
              {wrong}
            </p>
          </td>
        </tr>
      )}
    </>
  )
}

/** Yes, no, or not known: Onward decides only by a stated value. */
function Can({
  label,
  value,
  onChange,
}: {
  label: string
  value: boolean | null
  onChange: (value: boolean | null) => void
}) {
  const { w } = useWords()
  const t = w.providerForm
  return (
    <SelectField
      label={label}
      hideLabel
      boxClass="can"
      value={value === null ? '' : value ? 'yes' : 'no'}
      onChange={(e) => onChange(e.currentTarget.value === '' ? null : e.currentTarget.value === 'yes')}
    >
      <option value="">{t.unknown}</option>
      <option value="yes">{t.yes}</option>
      <option value="no">{t.no}</option>
    </SelectField>
  )
}
