import { useId } from 'react'
import { useWords } from '../../app-context.ts'
import { IconButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import type { ListedModel } from '../../../shared/control/provider-edit.ts'
import { countOf } from '../count.ts'
import { modelField, priceDraft, priceFields, type ModelDraft, type PriceField } from './draft.ts'
import { useProblemText } from './problem-text.ts'
import { usualPrice } from './usual-price.ts'
import type { ProviderForm } from './use-provider-form.ts'

interface RowProps {
  model: ModelDraft
  /** as its provider lists it; null: it was not asked, or does not list it */
  listed: ListedModel | null
  /** columns of prices */
  prices: readonly PriceField[]
  form: ProviderForm
  onPut: (change: Partial<ModelDraft>) => void
  onRemove: () => void
}

/** One model: its context, its abilities, its prices. A field that is not set shows the known value. */
export function ModelRow({ model, listed, prices, form, onPut, onRemove }: RowProps) {
  const { w } = useWords()
  const t = w.providerForm
  const textOf = useProblemText(form)
  const problemId = useId()
  const { id } = model
  const windowWrong = textOf(modelField(id, 'contextWindow'))
  const priceWrong = textOf(modelField(id, 'price'))
  const wrong = windowWrong ?? priceWrong
  const usual = usualPrice(listed, form.base, id)
  const price = usual?.price
  const set = priceFields.some((field) => model.price[field].trim() !== '')
  return (
    <>
      <tr>
        <th scope="row" title={listed?.name ?? id}>
          {id}
        </th>
        <td className="r">
          <TextField
            label={t.contextOf(id)}
            hideLabel
            boxClass="num wide"
            value={model.contextWindow}
            placeholder={listed?.contextWindow ? countOf(listed.contextWindow) : t.unknown}
            inputMode="numeric"
            wrongIn={windowWrong && problemId}
            onChange={(e) => onPut({ contextWindow: e.currentTarget.value })}
          />
        </td>
        <td>
          <Can label={t.visionOf(id)} value={model.vision} onChange={(vision) => onPut({ vision })} />
        </td>
        <td>
          <Can label={t.thinkingOf(id)} value={model.thinking} onChange={(thinking) => onPut({ thinking })} />
        </td>
        {prices.map((field) => (
          <td key={field} className="r">
            <TextField
              label={t.priceOf(id, t.priceColumns[field])}
              hideLabel
              boxClass="num"
              value={model.price[field]}
              placeholder={price?.[field] === undefined ? t.unknown : String(price[field])}
              inputMode="decimal"
              wrongIn={priceWrong && problemId}
              onChange={(e) => onPut({ price: { ...model.price, [field]: e.currentTarget.value } })}
            />
          </td>
        ))}
        <td className="m-from">
          {set ? (
            t.priceSet
          ) : usual ? (
            <>
              {usual.taken === null ? t.priceListed : t.priceOfList(usual.taken)}{' '}
              <button
                type="button"
                className="link meta"
                aria-label={t.takeOf(id)}
                onClick={() => onPut({ price: priceDraft(usual.price) })}
              >
                {t.priceTake}
              </button>
            </>
          ) : (
            <span className="unset">{t.priceUnknown}</span>
          )}
        </td>
        <td>
          <IconButton icon="x" small name={t.removeModel(id)} onClick={onRemove} />
        </td>
      </tr>
      {wrong && (
        <tr className="m-wrong">
          <td colSpan={6 + prices.length}>
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
