"""Judged criteria: a question in plain words that models answer; here is all of it that needs no network.

What is asked follows from the protocol and the texts alone, and so does what is made of the answers: the same
answers give the same bytes. Who asks, and pays, is not known here.
"""
