'use client';
import { useLayoutEffect, useRef, useState } from 'react';
import { Input } from './input.tsx';

/** A date of an earlier year is one whose year is still being typed: 0002, 0020, 0202, 2026. */
const FIRST_YEAR = 2000;

type DayInputProps = {
  /** Needed outside a `Field` only. */
  name?: string;
  'aria-label'?: string;
  /** `AAAA-MM-JJ`, or empty. */
  value: string;
  onDay: (day: string) => void;
  className?: string;
};

/**
 * A date that filters a page. `onDay` is called once the year is complete or the field is left, so that a date half typed requests nothing. A date
 * left incomplete, or that does not exist (« 31/02 »), is told as that and changes nothing.
 */
export function DayInput({ value, onDay, ...rest }: DayInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const given = useRef(value);
  const [isWrong, setWrong] = useState(false);
  // Uncontrolled, because the browser keeps a date half typed. Only a value changed elsewhere replaces it.
  useLayoutEffect(() => {
    if (value === given.current) return;
    given.current = value;
    if (input.current) input.current.value = value;
    setWrong(false);
  }, [value]);
  const give = (day: string) => {
    if (day === given.current) return;
    given.current = day;
    onDay(day);
  };
  return (
    <>
      <Input
        ref={input}
        type="date"
        {...rest}
        defaultValue={value}
        aria-invalid={isWrong}
        onChange={({ currentTarget: { value: day } }) => {
          setWrong(false);
          if (Number(day.slice(0, 4)) >= FIRST_YEAR) give(day);
        }}
        onBlur={({ currentTarget: { value: day, validity } }) => {
          setWrong(validity.badInput);
          if (!validity.badInput) give(day);
        }}
      />
      {isWrong ? (
        <span role="alert" className="text-fail text-xs">
          Cette date est incomplète ou n’existe pas.
        </span>
      ) : null}
    </>
  );
}
