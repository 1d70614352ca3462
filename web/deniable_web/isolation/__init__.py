"""Runs work on other people's files and surveys in separate processes, within limits.

A file of a megabyte can keep a parser busy for minutes, and work in the collector's process
delays reports. The results of a survey may take as long. So each task runs in a fork
of a process that has loaded only what tasks need.
"""
