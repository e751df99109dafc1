import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIG_NUMBER } from './big-number.js';
import { Webhook } from './webhook.entity.js';

/** How far a webhook has got, and who is at it. Written by workers. */
@Entity('webhook_progress')
export class WebhookProgress {
  @PrimaryColumn('uuid', { name: 'webhook_id' })
  webhookId!: string;

  @OneToOne(() => Webhook, (webhook) => webhook.progress)
  @JoinColumn({ name: 'webhook_id' })
  webhook?: Relation<Webhook>;

  /** Global position of the last event that is done with; 0: before the first. */
  @Column('bigint', { transformer: BIG_NUMBER })
  position!: number;

  /** How often the next event was tried in vain. */
  @Column('integer')
  attempts!: number;

  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;

  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  /** When the receiver took something last. */
  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt!: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  /** Worker that is at it. */
  @Column('text', { nullable: true })
  holder!: string | null;

  @Column('timestamptz', { name: 'held_until', nullable: true })
  heldUntil!: Date | null;
}
